import type { ApplyReport } from './commands.ts';
import type { Circumstances } from './draft.ts';
import type { Order } from './order.ts';
import { payoutPollWaits, waitAt } from './schedule.ts';

/**
 * Sets when an open payout is looked at next: polled, for ever (decisions 5.4). A channel that says that it does not know the order
 * gets it again, through itself and with the same order number, which can never pay twice.
 */
export function schedulePayout(order: Order, { answer, during }: ApplyReport, on: Circumstances): void {
  if (during === 'callback' && order.nextAction !== 'submit') return;
  const action = answer.outcome === 'unknown' && answer.why === 'not_found' ? 'submit' : 'poll';
  if (action === 'submit') {
    order.nextAction = 'submit';
    order.nextActionAt = on.now;
    return;
  }
  // Attempts count on through submits and polls, so that the waits grow however often the two change places.
  order.nextAction = 'poll';
  order.nextActionAt = on.now + Math.round(waitAt(payoutPollWaits, Math.max(0, order.attempt - 1)) * on.scheduleScale);
}
