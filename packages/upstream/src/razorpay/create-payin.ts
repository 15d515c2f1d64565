import type { ChannelAnswer, ChannelOrder } from '@tidegate/domain/channels';
import { retryUntilAnswered } from '../provider/http-client.ts';
import { toMinorUnits } from '../provider/minor-units.ts';
import { type Account, readReply, send, unanswered } from './api.ts';
import { findLink, readLink } from './find-link.ts';
import { noAnswer } from './mapping.ts';
import { answerOfLink } from './query-payin.ts';

/** Razorpay refuses less than 15 minutes, and clocks differ. */
const shortestSeconds = 20 * 60;
const maxSeconds = 180 * 24 * 3_600;

/**
 * Creates a payment link. Our order number is its reference, which Razorpay accepts only once. So Razorpay refuses a
 * repeated create, and the first link is looked up.
 */
export async function createPayin(account: Account, order: ChannelOrder, signal: AbortSignal): Promise<ChannelAnswer> {
  const body = bodyOf(account, order);
  if (body === null) return { outcome: 'refused', reason: 'only INR in India, above zero, is carried' };
  const call = { method: 'POST', path: '/payment_links', body } as const;
  const attempt = () => send(account, account.settings.keys, call, signal);
  const reply = readReply(await retryUntilAnswered(attempt, signal));
  if (reply.kind === 'none') return unanswered(reply);
  if (reply.kind === 'ok') {
    const link = readLink(reply.json, order);
    return link.link ? answerOfLink(account, link.link, signal) : link.answer;
  }
  const { channelRef: _, ...byNumber } = order;
  const found = await findLink(account, byNumber, signal);
  if (found.link) return answerOfLink(account, found.link, signal);
  const isMissing = found.answer.outcome === 'unknown' && found.answer.why === 'not_found';
  if (!isMissing) return found.answer;
  return isAboutNumber(reply.description)
    ? noAnswer('the order number is taken, and its payment link is not found')
    : { outcome: 'refused', reason: reply.reason };
}

/** "payment link with given reference_id … already exists", "creation with reference ID already attempted". */
function isAboutNumber(description: string): boolean {
  return /reference[ _]id/i.test(description);
}

function bodyOf({ settings }: Account, order: ChannelOrder): string | null {
  const amount = toMinorUnits(order.amount);
  if (amount === null || order.currency !== 'INR' || !/^[A-Za-z0-9_-]{1,40}$/.test(order.orderNo)) return null;
  const seconds = Math.min(maxSeconds, Math.max(shortestSeconds, order.expiresInSeconds ?? 30 * 60));
  const { paymentMethods } = settings;
  const method = paymentMethods && {
    upi: false,
    netbanking: false,
    card: false,
    wallet: false,
    ...Object.fromEntries(paymentMethods.map((name) => [name, true])),
  };
  return JSON.stringify({
    amount,
    currency: 'INR',
    accept_partial: false,
    reference_id: order.orderNo,
    description: `Order ${order.orderNo}`,
    expire_by: Math.floor(Date.now() / 1000) + seconds,
    // The payer comes from our checkout page. Razorpay needs neither their name nor their number for it.
    notify: { sms: false, email: false },
    reminder_enable: false,
    notes: { order_no: order.orderNo },
    ...(method && { options: { checkout: { method } } }),
  });
}
