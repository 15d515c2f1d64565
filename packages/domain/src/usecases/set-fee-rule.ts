import type { FeeRule } from '../core/fee.ts';
import type { Domain } from './domain.ts';

/** Sets what a merchant pays for orders of one kind, for all bank codes or for one. Orders keep the terms that they were made with. */
export async function setFeeRule(domain: Domain, merchantId: string, rule: FeeRule): Promise<void> {
  await domain.database.pool.query(
    `insert into fee_rule (merchant_id, kind, bank_code, percent, fixed, minimum, maximum) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (merchant_id, kind, bank_code) do update set percent = excluded.percent, fixed = excluded.fixed,
       minimum = excluded.minimum, maximum = excluded.maximum`,
    [merchantId, rule.kind, rule.bankCode ?? '', rule.percent, rule.fixed, rule.minimum ?? null, rule.maximum ?? null],
  );
}
