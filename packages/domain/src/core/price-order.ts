import type { NewOrder } from './commands.ts';
import { type FeeStep, type FeeTerms, feeOn, stepAt } from './fee.ts';
import { Money } from './money.ts';
import type { Rejection } from './rejection.ts';

/** The first amount that an order cannot have: 12 digits before the point are stored. */
const tooMuch = '1000000000000.00';

/** The fee of an order by these terms; null for a payin whose fee would leave nothing of it, and for a fee or a net amount that is too large. */
export function priceBy(
  terms: FeeTerms,
  { kind, amount }: { kind: NewOrder['kind']; amount: Money },
): Pick<NewOrder, 'feeTerms' | 'feeAmount' | 'netAmount'> | null {
  const fee = feeOn(amount, terms);
  if (kind === 'payin' && !fee.isLessThan(amount)) return null;
  const net = kind === 'payin' ? amount.minus(fee) : amount.plus(fee);
  const limit = Money.of(tooMuch, amount.currency);
  if (!fee.isLessThan(limit) || !net.isLessThan(limit)) return null;
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
