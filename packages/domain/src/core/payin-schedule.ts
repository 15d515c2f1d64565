import type { ApplyReport } from './commands.ts';
import type { Circumstances } from './draft.ts';
import type { Order } from './order.ts';
import { expiryRetryWaits, lateWatch, payinPollWaits, payoutPollWaits, waitAt } from './schedule.ts';
import type { Trigger } from './transitions.ts';

/** How many times a channel may say that it does not know an ended payin before we stop asking. */
const notFoundLimit = 6;

/** Sets when an open payin is looked at next: polled, and at its expiry asked for the last time. */
export function schedulePayin(order: Order, on: Circumstances): void {
  // The channel does not have it yet, as far as we know: it is still to be submitted.
  if (order.nextAction === 'submit' && order.channelRef === null) return;
  const expiresAt = order.expiresAt ?? on.now;
  if (order.mode === 'manual') {
    plan(order, 'expire', expiresAt);
    return;
  }
  if (on.now >= expiresAt) {
    plan(
      order,
      'expire',
      order.nextAction === 'expire' ? on.now + scaled(waitAt(expiryRetryWaits, order.attempt - 1), on) : expiresAt,
    );
    return;
  }
  const pollAt = on.now + scaled(waitAt(payinPollWaits, order.nextAction === 'poll' ? order.attempt : 0), on);
  if (pollAt < expiresAt) plan(order, 'poll', pollAt);
  else plan(order, 'expire', expiresAt);
}

/**
 * A payin that ended without its channel's own word (decisions 5.3) may still be paid: it is polled for a day, until
 * the channel says something definite or has often enough said that it does not know the order.
 */
export function watchForLateMoney(order: Order, report: ApplyReport, trigger: Trigger | null, on: Circumstances): void {
  const { answer } = report;
  const silent = answer.outcome === 'unknown' || answer.outcome === 'accepted' || answer.outcome === 'part_paid';
  const watched = trigger === 'channel_unanswered' || trigger === 'unpaid' || order.nextAction === 'poll';
  const givenUp = answer.outcome === 'unknown' && answer.why === 'not_found' && order.attempt >= notFoundLimit;
  const over = on.now >= order.createdAt + scaled(lateWatch, on);
  if (silent && watched && !givenUp && !over)
    plan(order, 'poll', on.now + scaled(waitAt(payoutPollWaits, order.attempt), on));
  else if (report.during !== 'callback') plan(order, null, null);
}

function plan(order: Order, action: Order['nextAction'], at: number | null): void {
  if (order.nextAction !== action) order.attempt = 0;
  order.nextAction = action;
  order.nextActionAt = at;
}

function scaled(wait: number, on: Circumstances): number {
  return Math.round(wait * on.scheduleScale);
}
