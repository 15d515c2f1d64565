import { truncateText } from './channel-answer.ts';
import type { ClaimWork, Reroute, WithId } from './commands.ts';
import { isTerminal } from './order.ts';
import type { Rejection } from './rejection.ts';
import type { Story } from './story.ts';

/** Claims the order's next action for the lease, if it is due. */
export function claimWork(story: Story, { action, lease, id }: ClaimWork & WithId): Story | Rejection {
  const { order, now } = story;
  const isDue = order.nextAction === action && order.nextActionAt !== null && order.nextActionAt <= now;
  if (!isDue) return 'not_due';
  return story.changeOrder({ nextActionAt: now + lease, attempt: order.attempt + 1, commandId: id ?? null });
}

/**
 * Sends a payin that its channel refused outright to the next one. An accepted or ended order stays, and so does a payout:
 * it is never retried through another channel (decisions 5.4).
 */
export function reroute(story: Story, command: Reroute & WithId): Story | Rejection {
  const { fromChannelId, toChannelId, toChannelBankCode, reason, id } = command;
  const { kind, channelId, channelRef, status } = story.order;
  if (kind === 'payout' || channelId !== fromChannelId || channelRef !== null || isTerminal(status))
    return 'not_this_channel';
  const detail = `${fromChannelId} refused (${truncateText(reason, 100)}), ${toChannelId} is next`;
  return story
    .note('rerouted', { actor: 'routing', detail })
    .changeOrder({ channelId: toChannelId, channelBankCode: toChannelBankCode, commandId: id ?? null });
}
