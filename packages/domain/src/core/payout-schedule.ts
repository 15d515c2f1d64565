import type { ApplyReport } from './commands.ts';
import { payoutPollWaits, waitAt } from './schedule.ts';
import type { Story } from './story.ts';

/**
 * Sets when an open payout is looked at next: polled, for ever (decisions 5.4). A channel that says that it does not know the order
 * gets it again, through itself and with the same order number, which can never pay twice.
 */
export function schedulePayout(story: Story, { answer, during }: ApplyReport): Story {
  const { order, context } = story;
  if (during === 'callback' && order.nextAction !== 'submit') return story;
  const isMissing = answer.outcome === 'unknown' && answer.why === 'not_found';
  // Attempts count on through submits and polls, so that the waits grow however often the two change places.
  const wait = waitAt(payoutPollWaits, Math.max(0, order.attempt - 1)) * context.scheduleScale;
  return story.changeOrder({
    nextAction: isMissing ? 'submit' : 'poll',
    // One that is not found when asked about is sent at once; one that is not found when it is sent has to wait its time.
    nextActionAt: context.now + (isMissing && during !== 'create' ? 0 : Math.round(wait)),
  });
}
