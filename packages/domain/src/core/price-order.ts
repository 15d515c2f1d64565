import type { NewOrder } from './commands.ts';
import { type FeeStep, type FeeTerms, feeOn, stepAt } from './fee.ts';
import { Money } from './money.ts';
import type { Rejection } from './rejection.ts';

/** What an order costs by these terms; null for a payin whose fee would leave nothing of it. */
export function priceBy(
  terms: FeeTerms,
  { kind, amount }: { kind: NewOrder['kind']; amount: Money },
): Pick<NewOrder, 'feeTerms' | 'feeAmount' | 'netAmount'> | null {
  const fee = feeOn(amount, terms);
  if (kind === 'payin' && !fee.isLessThan(amount)) return null;
  const net = kind === 'payin' ? amount.minus(fee) : amount.plus(fee);
  return { feeTerms: terms, feeAmount: fee.toString(), netAmount: net.toString() };
}

/** A new order by the terms that are in force at `now`. Without `fees` there is nothing to choose: its terms hold whenever it is created. */
export function priceAt(order: NewOrder, fees: readonly FeeStep[] | undefined, now: number): NewOrder | Rejection {
  if (!fees) return order;
  const step = stepAt(fees, now);
  if (!step) return 'operation_not_available';
  const price = priceBy(step.terms, { kind: order.kind, amount: Money.of(order.amount, order.currency) });
  return price ? { ...order, ...price } : 'amount_out_of_range';
}
