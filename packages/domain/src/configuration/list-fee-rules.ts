import type { OrderKind } from '../core/order.ts';
import { columnsOf, millis } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { FeeRuleRow } from '../database/entities/merchant.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPages } from '../lists/read-pages.ts';
import type { Scope } from '../lists/scope.ts';
import { feeRules } from './queries.ts';

/**
 * A merchant's price for orders of a kind (decisions 3.3): percent of the amount, and amounts in its currency, all
 * decimal text.
 */
export interface FeeRuleRecord {
  merchantId: string;
  kind: OrderKind;
  /** Empty: for every bank code without its own rule. */
  bankCode: string;
  percent: string;
  fixed: string;
  minimum: string | null;
  maximum: string | null;
  /** Whether a payout's fee is given back once the bank has returned all of it. */
  isRefundable: boolean;
  /** The beginning, in Unix ms; 0: in force since it was set. */
  beginsAt: number;
}

/** A page of each merchant's fee rules: those in force, and those that begin later. */
export function pagesOfFeeRules(
  { database }: { database: Database },
  scope: Scope,
  merchantIds: readonly string[],
  page: PageRequest<'fee_rules'>,
): Promise<Page<FeeRuleRecord>[]> {
  return readPages(
    database.reading,
    {
      table: feeRules,
      columns: `${columnsOf(database.orm, FeeRuleRow)}, ${millis('t.begins_at')} as "beginsAt"`,
      parent: ['merchant_id'],
    },
    scope,
    merchantIds.map((merchantId) => [merchantId]),
    page,
  );
}
