import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { type Account, ask, unanswered } from './api.ts';
import { findLink, readLink } from './find-link.ts';
import { linkStates, meaningOf } from './mapping.ts';
import { answerOfLink, queryPayin } from './query-payin.ts';

/** Cancels the payment link while it is open. If Razorpay refuses, the state of the link is queried again. */
export async function cancelPayin(
  account: Account,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const found = await findLink(account, order, signal);
  if (!found.link) return found.answer;
  if (meaningOf(linkStates, found.link.status) !== 'open') return answerOfLink(account, found.link, signal);
  const path = `/payment_links/${found.link.id}/cancel`;
  const reply = await ask(account, account.settings.keys, { method: 'POST', path, body: '{}' }, signal);
  const same = { ...order, channelRef: found.link.id };
  if (reply.kind === 'none') return unanswered(reply);
  if (reply.kind === 'error') return queryPayin(account, same, signal);
  const cancelled = readLink(reply.json, same);
  return cancelled.link ? answerOfLink(account, cancelled.link, signal) : cancelled.answer;
}
