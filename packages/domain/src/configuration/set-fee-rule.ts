import type { FeeRule, FeeTerms } from '../core/fee.ts';
import type { Within } from '../ledger/index.ts';

/**
 * Sets what a merchant pays for orders of one kind, for all bank codes or for one. Orders keep the terms that they were made with.
 * Gives the terms before; null where there were none.
 */
export async function setFeeRule(within: Within, merchantId: string, rule: FeeRule): Promise<FeeTerms | null> {
  const { kind, percent, fixed, minimum = null, maximum = null, bankCode = '' } = rule;
  const { rows } = await within.database.pool.query<{ before: FeeTerms | null }>(
    `with old as (select percent::text, fixed::text, minimum::text, maximum::text from fee_rule
       where merchant_id = $1 and kind = $2 and bank_code = $3)
     insert into fee_rule (merchant_id, kind, bank_code, percent, fixed, minimum, maximum) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (merchant_id, kind, bank_code) do update set percent = excluded.percent, fixed = excluded.fixed,
       minimum = excluded.minimum, maximum = excluded.maximum
     returning (select json_strip_nulls(row_to_json(old)) from old) as before`,
    [merchantId, kind, bankCode, percent, fixed, minimum, maximum],
  );
  return rows[0]?.before ?? null;
}
