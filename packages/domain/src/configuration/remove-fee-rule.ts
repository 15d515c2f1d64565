import type { FeeRule } from '../core/fee.ts';
import type { Outcome } from '../core/rejection.ts';
import { ScheduledFeeRuleRow } from '../database/entities/merchant.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import type { ChangeTransaction } from '../ledger/index.ts';

/**
 * Removes a fee rule that has not begun yet (`from`, Unix ms), and returns it. Refusals: invalid_input, if no rule
 * begins then or it has begun.
 */
export async function removeFeeRule(
  within: ChangeTransaction,
  merchantId: string,
  { kind, bankCode = '', from }: Required<Pick<FeeRule, 'kind' | 'from'>> & Pick<FeeRule, 'bankCode'>,
): Promise<Outcome<object>> {
  const em = within.database.unitOfWork();
  const key = { merchant: merchantId, kind, bankCode, beginsAt: new Date(from) };
  const rule = await em.findOne(ScheduledFeeRuleRow, key);
  const hasBegun = rule !== null && rule.beginsAt <= (await databaseNow(em));
  if (!rule || hasBegun) {
    const reason = hasBegun
      ? 'has passed, and the rule is in force: set another one'
      : 'is not the start of a scheduled rule';
    return { ok: false, rejection: 'invalid_input', fields: [{ path: 'from', reason }] };
  }
  await em.remove(rule).flush();
  return { ok: true, value: rule };
}
