import { type ChannelAnswer, describeAnswer } from './channel-answer.ts';
import { type Circumstances, type Draft, openCase } from './draft.ts';
import { Money } from './money.ts';
import { isTerminal, type Order, type OrderStatus } from './order.ts';

/**
 * Opens a case where a definite answer contradicts an order's end (decisions 5.5). Nothing else changes, and one case per order is
 * enough: it holds no money, people have to ask the channel. `status` is what the order was before the answer.
 */
export function flagContradictingAnswer(
  draft: Draft,
  order: Order,
  answer: ChannelAnswer,
  status: OrderStatus,
  on: Circumstances,
): void {
  if (!isTerminal(status)) return;
  const contradicts =
    status === 'completed' ? saysUnpaid(answer) && wasPaid(draft, order) : saysOnlyPaid(draft, answer);
  if (contradicts) flagContradiction(draft, order, `${describeAnswer(answer)} (${answer.outcome}) after ${status}`, on);
}

/** Opens the order's case of contradicting words, unless it has had one. */
export function flagContradiction(draft: Draft, order: Order, detail: string, on: Circumstances): void {
  if (order.contradiction !== null) return;
  order.contradiction = detail;
  const { orderNo, channelId } = order;
  const amount = Money.of(order.amount, order.currency);
  openCase(draft, { kind: 'contradiction', orderNo, channelId, reference: null, amount, detail }, on.now);
}

function saysUnpaid(answer: ChannelAnswer): boolean {
  switch (answer.outcome) {
    case 'failed':
    case 'refused':
    case 'closed':
      return true;
    case 'timed_out':
      // With payments it tells how an order ended that was paid in time.
      return (answer.payments ?? []).length === 0;
    default:
      return false;
  }
}

/** A payin that an operator credited had ended unpaid before, as its channel said. */
function wasPaid(draft: Draft, order: Order): boolean {
  return order.kind === 'payout' || draft.payments.some(({ use }) => use === 'credited');
}

/** A payment that the answer names is money, which has its own case. */
function saysOnlyPaid(draft: Draft, answer: ChannelAnswer): boolean {
  return answer.outcome === 'paid' && answer.payments.length === 0 && draft.payments.length === 0;
}
