import type { ApplyReport } from './commands.ts';
import type { Order } from './order.ts';
import { expiryRetryWaits, lateWatch, payinPollWaits, payoutPollWaits, waitAt } from './schedule.ts';
import type { Context } from './state.ts';
import type { Story } from './story.ts';
import type { Trigger } from './transitions.ts';

/** How many times a channel may answer that it does not know an ended payin, before polling stops. */
const notFoundLimit = 6;

/** Schedules the next poll of an open payin, and the last one at its expiry. */
export function schedulePayin(story: Story): Story {
  const { order, context } = story;
  const { nextAction, attempt } = order;
  // The channel probably does not have it yet: it is still to be submitted.
  if (nextAction === 'submit' && order.channelRef === null) return story;
  const expiresAt = order.expiresAt ?? context.now;
  if (order.mode === 'manual') return plan(story, 'expire', expiresAt);
  if (context.now >= expiresAt) {
    const again = context.now + scaled(waitAt(expiryRetryWaits, attempt - 1), context);
    return plan(story, 'expire', nextAction === 'expire' ? again : expiresAt);
  }
  const pollAt = context.now + scaled(waitAt(payinPollWaits, nextAction === 'poll' ? attempt : 0), context);
  return pollAt < expiresAt ? plan(story, 'poll', pollAt) : plan(story, 'expire', expiresAt);
}

/**
 * Schedules polls of a payin that ended without its channel's own answer (decisions 5.3), because it may still be
 * paid. They go on for a day, or until the channel gives a definite answer or repeats that it does not know the order.
 */
export function watchForLateMoney(story: Story, { answer, during }: ApplyReport, trigger: Trigger | null): Story {
  const { order, context } = story;
  const silent = answer.outcome === 'unknown' || answer.outcome === 'accepted' || answer.outcome === 'part_paid';
  const watched = trigger === 'channel_unanswered' || trigger === 'unpaid' || order.nextAction === 'poll';
  const givenUp = answer.outcome === 'unknown' && answer.why === 'not_found' && order.attempt >= notFoundLimit;
  const over = context.now >= order.createdAt + scaled(lateWatch, context);
  if (silent && watched && !givenUp && !over)
    return plan(story, 'poll', context.now + scaled(waitAt(payoutPollWaits, order.attempt), context));
  return during === 'callback' ? story : plan(story, null, null);
}

function plan(story: Story, nextAction: Order['nextAction'], nextActionAt: number | null): Story {
  const attempt = story.order.nextAction === nextAction ? story.order.attempt : 0;
  return story.changeOrder({ nextAction, nextActionAt, attempt });
}

function scaled(wait: number, { scheduleScale }: Context): number {
  return Math.round(wait * scheduleScale);
}
