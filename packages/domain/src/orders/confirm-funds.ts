import { isInputAmount, withTwoDecimals } from '../core/money.ts';
import type { Decision } from '../core/operator.ts';
import type { Order, OrderRef } from '../core/order.ts';
import type { Result } from '../core/rejection.ts';
import { commitReference, type LedgerAccess, type MovementLimit, withinLimit } from '../ledger/index.ts';
import { orderOf } from './order-of.ts';

/**
 * Confirms funds for a payin of a manual channel. Late or excess funds open a case. The same `reference` again changes
 * nothing, however it is typed. A reference of another order's transfer is refused: proof_reference_used.
 */
export async function confirmFunds(
  domain: LedgerAccess & MovementLimit,
  ref: OrderRef,
  funds: { amount: string; reference: string },
  by: Decision,
): Promise<Result<Order>> {
  if (!isInputAmount(funds.amount)) return { ok: false, rejection: 'amount_out_of_range' };
  const amount = withTwoDecimals(funds.amount);
  const decided = { amount, reference: funds.reference, by: withinLimit(domain, by) };
  const confirmed = await commitReference(domain, { type: 'confirmFunds', ref, ...decided });
  return confirmed.ok ? { ok: true, value: await orderOf(domain, ref) } : confirmed;
}
