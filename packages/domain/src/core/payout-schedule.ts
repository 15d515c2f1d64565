import type { ApplyReport } from './commands.ts';
import { payoutPollWaits, waitAt } from './schedule.ts';
import type { Story } from './story.ts';

/**
 * Schedules the next poll of an open payout. It is polled without an end (decisions 5.4). If its channel answers that
 * it does not know the order, the order is sent to this channel again. The order number is the same, so it can never
 * pay twice. Once money is known to have left for it, it is only polled.
 */
export function schedulePayout(story: Story, { answer, during }: ApplyReport): Story {
  const { order, context, state } = story;
  if (during === 'callback' && order.nextAction !== 'submit') return story;
  const isMissing = answer.outcome === 'unknown' && answer.why === 'not_found' && state.payments.length === 0;
  // Submits and polls share one count of attempts, so that the waits grow however often the two alternate.
  const wait = waitAt(payoutPollWaits, Math.max(0, order.attempt - 1)) * context.scheduleScale;
  return story.changeOrder({
    commandId: null,
    nextAction: isMissing ? 'submit' : 'poll',
    // If a poll does not find the order, it is sent at once. If the channel does not have it after that, it waits as
    // scheduled.
    nextActionAt: context.now + (isMissing && during !== 'create' ? 0 : Math.round(wait)),
  });
}
