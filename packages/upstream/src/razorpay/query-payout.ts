import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { fromMinorUnits, toMinorUnits } from '../provider/minor-units.ts';
import { type Account, ask, unanswered } from './api.ts';
import { meaningOf, noAnswer, notFound, payoutStates, undecided } from './mapping.ts';
import { payerOf, sentFromAnother } from './payer.ts';
import { findEvidence } from './payout-evidence.ts';
import type { Settings } from './settings.ts';
import { type WirePayout, wirePayout, wirePayouts } from './wire.ts';

type Payouts = NonNullable<Settings['payouts']>;
export type FoundPayout = { payout: WirePayout } | { payout: null; answer: ChannelAnswer };

export async function queryPayout(
  account: Account,
  payouts: Payouts,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const found = await findPayout(account, payouts, order, signal);
  return found.payout ? answerOfPayout(account, payouts, found.payout, signal) : found.answer;
}

/**
 * The payout of an order: by its id if it is known, else by our order number, at the account that sent it. Not found
 * counts only if that is still the account of this channel.
 */
export async function findPayout(
  account: Account,
  { keys, accountNumber }: Payouts,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<FoundPayout> {
  const { channelRef, orderNo } = order;
  const isId = channelRef !== undefined && /^pout_[A-Za-z0-9]{1,40}$/.test(channelRef);
  const payer = (isId ? null : await payerOf(account, orderNo)) ?? accountNumber;
  const search = new URLSearchParams({ account_number: payer, reference_id: orderNo, count: '10' });
  const path = isId ? `/payouts/${channelRef}` : `/payouts?${search}`;
  const reply = await ask(account, keys, { method: 'GET', path }, signal);
  if (reply.kind !== 'ok') return { payout: null, answer: unanswered(reply) };
  if (isId) return readPayout(reply.json, order);
  const list = wirePayouts.safeParse(reply.json);
  if (!list.success) return { payout: null, answer: noAnswer('reply is not a list of payouts') };
  if (list.data.items.length === 0)
    return { payout: null, answer: payer === accountNumber ? notFound : sentFromAnother };
  const ours = list.data.items.filter(({ reference_id }) => reference_id === orderNo);
  if (ours.length !== 1) return { payout: null, answer: noAnswer(`${ours.length} payouts have this number`) };
  return readPayout(ours[0], order);
}

/** A payout that is about exactly this order. */
export function readPayout(json: unknown, { orderNo, amount, channelRef }: ChannelOrderRef): FoundPayout {
  const parsed = wirePayout.safeParse(json);
  if (!parsed.success) return { payout: null, answer: noAnswer('reply is not a payout') };
  const payout = parsed.data;
  const isOther = channelRef?.startsWith('pout_') === true && channelRef !== payout.id;
  if (payout.reference_id !== orderNo || isOther)
    return { payout: null, answer: noAnswer('reply is about another order') };
  if (payout.amount !== toMinorUnits(amount) || payout.currency !== 'INR')
    return { payout: null, answer: noAnswer('the payout has another amount or currency') };
  return { payout };
}

/**
 * Converts a payout to an answer. A processed payout is stored before it is reported. So a later reversal is recognised
 * as the return of money that had been paid.
 */
export async function answerOfPayout(
  account: Account,
  payouts: Payouts,
  payout: WirePayout,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const channelRef = payout.id;
  const state = meaningOf(payoutStates, payout.status);
  const reason = payout.status_details?.reason ?? payout.status;
  switch (state) {
    case 'open':
    case 'cancellable':
      return { outcome: 'accepted', channelRef };
    case 'paid':
      await account.memory.remember(processedKey(payout), 'processed', 'order');
      return { outcome: 'paid', channelRef, payments: [movementOf(payout)] };
    case 'reversed':
      return cameBack(account, payout, reason);
    case 'not_paid':
      return { outcome: 'failed', channelRef, reason: `${payout.status} at Razorpay` };
    case 'failed': {
      const evidence = await findEvidence(account, payouts, { payout, orderNo: payout.reference_id ?? '' }, signal);
      return evidence.isProven ? cameBack(account, payout, evidence.words) : undecided(evidence.detail);
    }
    case undefined:
      return undecided(`unknown state of a payout: ${payout.status.slice(0, 40)}`);
    default:
      return state satisfies never;
  }
}

/** Finally no money has left. It was returned if the payout had been processed, and never left otherwise. */
async function cameBack(account: Account, payout: WirePayout, reason: string): Promise<ChannelAnswer> {
  const channelRef = payout.id;
  if ((await account.memory.read(processedKey(payout))) === null) return { outcome: 'failed', channelRef, reason };
  const moved = movementOf(payout);
  return { outcome: 'returned', channelRef, payments: [moved], returned: moved, reason };
}

function movementOf(payout: WirePayout): { reference: string; amount: string } {
  return { reference: payout.id, amount: fromMinorUnits(payout.amount) };
}

function processedKey(payout: WirePayout): string {
  return `processed:${payout.id}`;
}
