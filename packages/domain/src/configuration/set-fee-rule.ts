import type { FeeRule } from '../core/fee.ts';
import { FeeRuleRow } from '../database/entities/merchant.ts';
import type { Within } from '../ledger/index.ts';

/** Sets what a merchant pays for orders of one kind, for all bank codes or for one. Orders keep the terms that they were made with. */
export async function setFeeRule(within: Within, merchantId: string, rule: FeeRule): Promise<object> {
  const { kind, percent, fixed, minimum = null, maximum = null, bankCode = '' } = rule;
  const em = within.database.unitOfWork();
  const key = { merchant: merchantId, kind, bankCode };
  const terms = { percent, fixed, minimum, maximum };
  const found = await em.findOne(FeeRuleRow, key);
  const set = found ? em.assign(found, terms) : em.create(FeeRuleRow, { ...key, ...terms });
  await em.persist(set).flush();
  return set;
}
