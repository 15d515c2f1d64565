import type { OrderKind } from '../core/order.ts';
import type { Database } from '../store/database.ts';
import { FeeRuleRow } from '../store/entities/merchant.ts';
import { columnsOf } from '../store/statements.ts';
import type { Page, PageRequest } from './page.ts';
import { readPage } from './read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from './scope.ts';

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
}

/** A merchant's fee rules. */
export function pageFeeRules(
  { database }: { database: Database },
  scope: Scope,
  merchantId: string,
  page: PageRequest<'fee_rules'>,
): Promise<Page<FeeRuleRecord>> {
  return readPage<FeeRuleRecord>(
    database.reading,
    {
      table: 'fee_rule',
      columns: columnsOf(database.orm, FeeRuleRow),
      key: ['merchant_id', 'kind', 'bank_code'],
      direction: 'asc',
      keyOf: (rule) => [rule.merchantId, rule.kind, rule.bankCode],
      merchants: merchantsToLookUp([merchantId], scope),
      access: () => [],
      filters: (add) => ofMerchants([merchantId], scope, add),
    },
    page,
  );
}
