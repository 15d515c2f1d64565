import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { type Account, ask, unanswered } from './api.ts';
import { meaningOf, payoutStates } from './mapping.ts';
import { answerOfPayout, findPayout, queryPayout, readPayout } from './query-payout.ts';
import type { Settings } from './settings.ts';

/** Cancels a payout that is queued; no other state can be cancelled. For all others the answer is the current state. */
export async function cancelPayout(
  account: Account,
  payouts: NonNullable<Settings['payouts']>,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const found = await findPayout(account, payouts, order, signal);
  if (!found.payout) return found.answer;
  const { id, status } = found.payout;
  if (status === 'cancelled') return { outcome: 'closed', channelRef: id };
  if (meaningOf(payoutStates, status) !== 'cancellable') return answerOfPayout(account, payouts, found.payout, signal);
  const path = `/payouts/${id}/cancel`;
  const reply = await ask(account, payouts.keys, { method: 'POST', path, body: '{}' }, signal);
  const same = { ...order, channelRef: id };
  if (reply.kind === 'none') return unanswered(reply);
  if (reply.kind === 'error') return queryPayout(account, payouts, same, signal);
  const cancelled = readPayout(reply.json, same);
  if (!cancelled.payout) return cancelled.answer;
  if (cancelled.payout.status === 'cancelled') return { outcome: 'closed', channelRef: id };
  return answerOfPayout(account, payouts, cancelled.payout, signal);
}
