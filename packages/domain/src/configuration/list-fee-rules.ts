import type { OrderKind } from '../core/order.ts';
import { columnsOf, millis } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { FeeRuleRow } from '../database/entities/merchant.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPages } from '../lists/read-pages.ts';
import type { Scope } from '../lists/scope.ts';
import { feeRules } from './statements.ts';

/** What a merchant pays for orders of a kind (decisions 3.3): percent of the amount, and amounts in its currency, all decimal text. */
export interface FeeRuleRecord {
  merchantId: string;
  kind: OrderKind;
  /** Empty: for every code that has no rule of its own. */
  bankCode: string;
  percent: string;
  fixed: string;
  minimum: string | null;
  maximum: string | null;
  /** From when it holds, in Unix ms; 0: since it was set. */
  beginsAt: number;
}

/** Of each merchant a page of its fee rules: those in force, and those that are to begin. */
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
