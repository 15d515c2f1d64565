import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { fromMinorUnits } from '../provider/minor-units.ts';
import { type Account, ask, unanswered } from './api.ts';
import { findLink } from './find-link.ts';
import { linkStates, meaningOf, meaningOfPayment, noAnswer, undecided } from './mapping.ts';
import { type WireLink, type WirePayment, wirePayments } from './wire.ts';

export async function queryPayin(
  account: Account,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const found = await findLink(account, order, signal);
  return found.link ? answerOfLink(account, found.link, signal) : found.answer;
}

/**
 * Converts a payment link to an answer. If the link is not open, its attempts are read too, because a payment can be
 * authorised after the link ended.
 */
export async function answerOfLink(account: Account, link: WireLink, signal: AbortSignal): Promise<ChannelAnswer> {
  const channelRef = link.id;
  const state = meaningOf(linkStates, link.status);
  switch (state) {
    case 'open':
      return { outcome: 'accepted', channelRef, ...payLinkOf(link) };
    case 'paid':
    case 'part_paid': {
      const payments = await readPayments(account, link, signal);
      if (!('payments' in payments)) return payments;
      if (payments.payments.length === 0) return noAnswer('paid, but no payment is shown');
      return { outcome: state, channelRef, payments: payments.payments };
    }
    case 'expired':
    case 'cancelled':
      return answerOfEndedLink(account, link, state, signal);
    case undefined:
      return undecided(`unknown state of a payment link: ${link.status.slice(0, 40)}`);
    default:
      return state satisfies never;
  }
}

async function answerOfEndedLink(
  account: Account,
  link: WireLink,
  state: 'expired' | 'cancelled',
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const channelRef = link.id;
  const ended: ChannelAnswer =
    state === 'expired'
      ? { outcome: 'timed_out', channelRef, reason: 'the payment link expired' }
      : { outcome: 'closed', channelRef };
  // Without a Razorpay order there was no attempt to pay.
  if (!link.order_id) return ended;
  const tried = await readAttempts(account, link, signal);
  if (!('payments' in tried)) return tried;
  if (tried.isUndecided) return undecided(`the payment link is ${state}, but a payment is not decided yet`);
  if (tried.payments.length === 0) return ended;
  return tried.paise >= link.amount
    ? { outcome: 'paid', channelRef, payments: tried.payments }
    : { outcome: 'timed_out', channelRef, reason: `the payment link is ${state}`, payments: tried.payments };
}

interface Taken {
  payments: { reference: string; amount: string }[];
  paise: number;
  isUndecided: boolean;
}
type Unanswered = ReturnType<typeof noAnswer>;

/** The captured payments in the link itself; without any, those of its order. */
async function readPayments(account: Account, link: WireLink, signal: AbortSignal): Promise<Taken | Unanswered> {
  if (!link.payments?.length) {
    return link.order_id ? readAttempts(account, link, signal) : noAnswer('paid, but no payment is shown');
  }
  return sum(link.payments.map(({ payment_id: id, amount, status }) => ({ id, amount, status, captured: true })));
}

/** All attempts on the link's order. */
async function readAttempts(account: Account, link: WireLink, signal: AbortSignal): Promise<Taken | Unanswered> {
  const path = `/orders/${link.order_id}/payments`;
  const reply = await ask(account, account.settings.keys, { method: 'GET', path }, signal);
  if (reply.kind !== 'ok') return unanswered(reply);
  const parsed = wirePayments.safeParse(reply.json);
  if (!parsed.success) return noAnswer('reply is not a list of payments');
  const { items } = parsed.data;
  if (!items.every(({ order_id, currency }) => order_id === link.order_id && currency === link.currency))
    return noAnswer('a payment of another order or currency');
  return sum(items);
}

type Attempt = Pick<WirePayment, 'id' | 'amount' | 'status' | 'captured'>;

function sum(attempts: readonly Attempt[]): Taken | Unanswered {
  const total: Taken = { payments: [], paise: 0, isUndecided: false };
  for (const attempt of attempts) {
    const { id, amount, status } = attempt;
    const state = meaningOfPayment(attempt);
    if (state === undefined) return undecided(`unknown state of a payment: ${status.slice(0, 40)}`);
    if (state === 'undecided') total.isUndecided = true;
    if (state !== 'money') continue;
    total.payments.push({ reference: id, amount: fromMinorUnits(amount) });
    total.paise += amount;
  }
  return total;
}

function payLinkOf({ short_url }: WireLink): { payLink?: string } {
  return short_url ? { payLink: short_url } : {};
}
