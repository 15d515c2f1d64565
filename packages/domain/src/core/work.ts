import { inBrief } from './channel-answer.ts';
import type { ClaimWork, Reroute } from './commands.ts';
import { type Circumstances, type Draft, recordTransition } from './draft.ts';
import { isTerminal, type Order } from './order.ts';
import type { Rejection } from './rejection.ts';

/** Takes the order's next action for as long as the lease, if it is due. */
export function claimWork(order: Order, { action, lease }: ClaimWork, on: Circumstances): Rejection | null {
  const isDue = order.nextAction === action && order.nextActionAt !== null && order.nextActionAt <= on.now;
  if (!isDue) return 'not_due';
  order.nextActionAt = on.now + lease;
  order.attempt += 1;
  return null;
}

/** Passes an order on that its channel refused outright; one that was taken or has ended stays where it is. */
export function reroute(draft: Draft, order: Order, command: Reroute, on: Circumstances): Rejection | null {
  const { fromChannelId, toChannelId, toChannelBankCode, reason } = command;
  if (order.channelId !== fromChannelId || order.channelRef !== null || isTerminal(order.status))
    return 'not_this_channel';
  const detail = `${fromChannelId} refused (${inBrief(reason, 100)}), ${toChannelId} is next`;
  recordTransition(draft, order, order.status, order.status, 'rerouted', { actor: 'routing', detail }, on.now);
  order.channelId = toChannelId;
  order.channelBankCode = toChannelBankCode;
  order.updatedAt = on.now;
  return null;
}
