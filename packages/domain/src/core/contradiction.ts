import { type ChannelAnswer, describeAnswer } from './channel-answer.ts';
import { Money } from './money.ts';
import { isTerminal, type OrderStatus } from './order.ts';
import type { Payment } from './payment.ts';
import type { State } from './state.ts';
import type { Story } from './story.ts';

/**
 * Opens a case if a definite answer contradicts an order's final status (decisions 5.5). Nothing else changes. One
 * case per order is enough: it holds no money, and operators have to ask the channel. `status` is the order's status
 * before the answer.
 */
export function flagContradictingAnswer(story: Story, answer: ChannelAnswer, status: OrderStatus): Story {
  if (!isTerminal(status)) return story;
  const contradicts = status === 'completed' ? saysUnpaid(answer) && wasPaid(story) : saysOnlyPaid(story.state, answer);
  return contradicts
    ? flagContradiction(story, `${describeAnswer(answer)} (${answer.outcome}) after ${status}`)
    : story;
}

/** Opens the order's case of a contradicting answer, unless it already had one. */
export function flagContradiction(story: Story, detail: string): Story {
  const { merchantId, orderNo, channelId, contradiction, currency, amount } = story.order;
  if (contradiction !== null) return story;
  const about = { merchantId, orderNo, channelId, reference: null, amount: Money.of(amount, currency), detail };
  return story.changeOrder({ contradiction: detail }).openCase({ kind: 'contradiction', ...about });
}

function saysUnpaid(answer: ChannelAnswer): boolean {
  switch (answer.outcome) {
    case 'failed':
    case 'refused':
    case 'closed':
      return true;
    case 'timed_out':
      // A time-out with payments describes an order that was paid in time.
      return (answer.payments ?? []).length === 0;
    default:
      return false;
  }
}

/**
 * Whether the channel reported a payment of the completed order, also one that an operator credited from its case. Money
 * that was not of the order came to a payin with its credit: the channel says rightly that it was not paid.
 */
function wasPaid({ order, state }: Story): boolean {
  const isReported = ({ use, receivedAt }: Payment): boolean =>
    use === 'credited' || (use === 'suspense' && receivedAt !== order.completedAt);
  return order.kind === 'payout' || state.payments.some(isReported);
}

/** A payment in the answer is money, which has its own case. */
function saysOnlyPaid({ payments }: State, answer: ChannelAnswer): boolean {
  return answer.outcome === 'paid' && answer.payments.length === 0 && payments.length === 0;
}
