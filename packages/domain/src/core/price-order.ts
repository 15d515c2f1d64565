import type { NewOrder } from './commands.ts';
import { type FeeStep, type FeeTerms, feeOn, stepAt } from './fee.ts';
import { Money } from './money.ts';
import type { Rejection } from './rejection.ts';

/** The fee of an order by these terms; null for a payin whose fee would leave nothing of it. */
export function priceBy(
  terms: FeeTerms,
  { kind, amount }: { kind: NewOrder['kind']; amount: Money },
): Pick<NewOrder, 'feeTerms' | 'feeAmount' | 'netAmount'> | null {
  const fee = feeOn(amount, terms);
  if (kind === 'payin' && !fee.isLessThan(amount)) return null;
  const net = kind === 'payin' ? amount.minus(fee) : amount.plus(fee);
  return { feeTerms: terms, feeAmount: fee.toString(), netAmount: net.toString() };
}

/** A new order with the terms in force at `now`. Without `fees` its own terms apply at any time. */
export function priceAt(order: NewOrder, fees: readonly FeeStep[] | undefined, now: number): NewOrder | Rejection {
  if (!fees) return order;
  const step = stepAt(fees, now);
  if (!step) return 'operation_not_available';
  const price = priceBy(step.terms, { kind: order.kind, amount: Money.of(order.amount, order.currency) });
  return price ? { ...order, ...price } : 'amount_out_of_range';
}
