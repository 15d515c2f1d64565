import { z } from 'zod';
import type { Currency } from '../core/country.ts';
import type { Account } from '../core/ledger.ts';
import { currencyOf } from '../countries/index.ts';
import type { Database } from '../database/database.ts';
import { given, isOneOf } from '../lists/conditions.ts';
import { anyOf, merchantIds, text } from '../lists/filter-parts.ts';
import { amongMerchants, type Scope } from '../lists/scope.ts';
import { collectValues, whereAll } from '../lists/values.ts';

export const accountFilter = z.strictObject({
  merchantIds,
  accounts: anyOf(text),
  currencies: anyOf(z.enum(Object.values(currencyOf))),
});
export type AccountFilter = z.infer<typeof accountFilter>;

/**
 * The balance of a platform account in one currency, over all merchants in scope or for one. Amounts are decimal text.
 */
export interface AccountBalance {
  account: Account;
  currency: Currency;
  /** Null if merchants are not grouped. */
  merchantId: string | null;
  debited: string;
  credited: string;
  /** Credited less debited. A channel or a bank that holds money for us is therefore below zero. */
  balance: string;
  transfers: number;
}

/**
 * The current balances of the platform's accounts (fee revenue, suspense, external, each channel): the totals of the
 * roll-up and the transfers since. `byMerchant` groups them by merchant. The largest first, at most `limit` (up to
 * 1,000).
 */
export async function readAccountBalances(
  { database }: { database: { reading: Pick<Database['reading'], 'query'> } },
  scope: Scope,
  filter: AccountFilter,
  { byMerchant = false, limit = 200 }: { byMerchant?: boolean; limit?: number } = {},
): Promise<AccountBalance[]> {
  const { values, add } = collectValues();
  const conditions = whereAll([
    ...amongMerchants(filter.merchantIds ?? null, scope, add),
    ...given(isOneOf('t.account', filter.accounts, add), isOneOf('t.currency', filter.currencies, add)),
  ]);
  const merchant = byMerchant ? 't.merchant_id' : 'null::text';
  const { rows } = await database.reading.query<AccountBalance>(
    `select t.account, t.currency, ${merchant} as "merchantId", sum(t.debited)::numeric(24, 2)::text as debited, sum(t.credited)::numeric(24, 2)::text as credited,
       sum(t.credited - t.debited)::numeric(24, 2)::text as balance, sum(t.transfers)::float8 as transfers
     from (${movesSql}) t ${conditions} group by 1, 2, 3 order by abs(sum(t.credited - t.debited)) desc, 1, 2, 3
     limit ${add(Math.min(limit, 1_000))}`,
    values,
  );
  return rows;
}

// One statement is one snapshot: the transfers missing in a total are exactly those with higher numbers.
const movesSql = `
select merchant_id, account, currency, debited, credited, transfers from account_total
union all
select w.merchant_id, s.account, r.currency, s.debited, s.credited, 1
from wallet w left join account_total_progress p using (merchant_id)
cross join lateral (select * from transfer where merchant_id = w.merchant_id and transfer_no > coalesce(p.transfer_no, 0) offset 0) r
cross join lateral (values (r.debit, r.amount, 0), (r.credit, 0, r.amount)) as s(account, debited, credited)
where w.last_transfer_no > coalesce(p.transfer_no, 0) and s.account not in ('available', 'frozen')`;
