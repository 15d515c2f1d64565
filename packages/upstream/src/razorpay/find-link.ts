import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { toMinorUnits } from '../provider/minor-units.ts';
import { type Account, ask, unanswered } from './api.ts';
import { noAnswer, notFound } from './mapping.ts';
import { type WireLink, wireLink, wireLinks } from './wire.ts';

export type FoundLink = { link: WireLink } | { link: null; answer: ChannelAnswer };

/**
 * The payment link of an order: by its id if it is known, else by our order number. A list that has other links only
 * proves nothing: the search may not have been applied.
 */
export async function findLink(account: Account, order: ChannelOrderRef, signal: AbortSignal): Promise<FoundLink> {
  const { channelRef, orderNo } = order;
  const isId = channelRef !== undefined && /^plink_[A-Za-z0-9]{1,40}$/.test(channelRef);
  const path = isId ? `/payment_links/${channelRef}` : `/payment_links?reference_id=${encodeURIComponent(orderNo)}`;
  const reply = await ask(account, account.settings.keys, { method: 'GET', path }, signal);
  if (reply.kind !== 'ok') return { link: null, answer: unanswered(reply) };
  if (isId) return readLink(reply.json, order);
  const list = wireLinks.safeParse(reply.json);
  if (!list.success) return { link: null, answer: noAnswer('reply is not a list of payment links') };
  if (list.data.length === 0) return { link: null, answer: notFound };
  const ours = list.data.filter(({ reference_id }) => reference_id === orderNo);
  if (ours.length !== 1) return { link: null, answer: noAnswer(`${ours.length} payment links have this number`) };
  return readLink(ours[0], order);
}

/** A payment link that is about exactly this order. */
export function readLink(json: unknown, { orderNo, amount, channelRef }: ChannelOrderRef): FoundLink {
  const parsed = wireLink.safeParse(json);
  if (!parsed.success) return { link: null, answer: noAnswer('reply is not a payment link') };
  const link = parsed.data;
  const isOther = channelRef?.startsWith('plink_') === true && channelRef !== link.id;
  if (link.reference_id !== orderNo || isOther) return { link: null, answer: noAnswer('reply is about another order') };
  if (link.amount !== toMinorUnits(amount) || link.currency !== 'INR')
    return { link: null, answer: noAnswer('the payment link has another amount or currency') };
  return { link };
}
