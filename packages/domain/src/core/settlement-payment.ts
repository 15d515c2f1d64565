import { type ChannelAnswer, describeAnswer, truncateText } from './channel-answer.ts';
import type { WithId } from './commands.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import type { Rejection } from './rejection.ts';
import { failedRefundChecks, payoutPollWaits, waitAt } from './schedule.ts';
import type {
  ApplySettlementPayment,
  ClaimSettlementPayment,
  PayOrConfirmSettlement,
  SendSettlement,
  Settlement,
} from './settlement.ts';
import { bringBack, change } from './settlement-bookings.ts';
import {
  bookMovements,
  bookShown,
  confirmShown,
  type Meaning,
  meaningOf,
  recordShown,
} from './settlement-movements.ts';
import { walletOf } from './state.ts';
import type { Story } from './story.ts';

// A settlement that a channel pays (ADR 0022). Its amount has left the wallet. The channel's account is posted when the channel confirms the payment, so
// that its statement has to show it. An unknown outcome is asked about without an end.

/** Claims the payment, and makes its first call due at once. */
export function requestPayment(
  story: Story,
  settlement: Settlement,
  { channelId, channelBankCode, paymentNo }: SendSettlement,
): Story {
  const { now } = story;
  const claim = { state: 'paid', reference: paymentNo, paidAt: now } as const;
  const next = { nextAction: 'send', nextActionAt: now } as const;
  return change(story, settlement, { ...claim, ...next, channelId, channelBankCode, paymentNo });
}

/** Claims the next call for the lease. If the worker dies, it may have sent it or not: the channel is asked first. */
export function claimPayment(
  story: Story,
  settlement: Settlement,
  { action, attempt, lease, id }: ClaimSettlementPayment & WithId,
): Story | Rejection {
  const { now } = story;
  const { nextAction, nextActionAt } = settlement;
  if (nextActionAt === null || nextActionAt > now) return 'not_due';
  if (nextAction !== action || settlement.attempt !== attempt) return 'not_due';
  const next = { nextAction: 'query', nextActionAt: now + lease, commandId: id ?? null } as const;
  return change(story, settlement, { attempt: attempt + 1, ...next });
}

/**
 * Applies a channel's answer, at any state after the claim. Only the payment of the whole amount confirms, and only a definite end brings the amount
 * back. Each moves money once, however often the answer comes.
 */
export function applyPayment(
  story: Story,
  settlement: Settlement,
  { answer, during, line, explained = 0 }: ApplySettlementPayment,
): Story | Rejection {
  const { channelId, paymentNo, state } = settlement;
  if (channelId === null || paymentNo === null) return 'settlement_not_there';
  const sent = { ...settlement, channelId, paymentNo };
  if (line !== undefined) return bookShown(story, sent, answer, { line, explained });
  const words = describeAnswer(answer);
  const channelRef = settlement.channelRef ?? ('channelRef' in answer ? (answer.channelRef ?? null) : null);
  const known = { ...settlement, channelRef, answer: words };
  const confirmed = confirmShown(story, sent, answer);
  const meaning = meaningOf(confirmed, settlement, answer);
  const booked = bookMovements(confirmed, sent, answer, meaning);
  if (state === 'failed') return applyAfterFailure(booked, known, answer, meaning);
  if (meaning === 'returned') return bringBackPaid(booked, known, `${channelId} says that it came back: ${words}`);
  if (meaning === 'paid') {
    const paid = payOut(booked, known);
    const confirmedAt = settlement.confirmedAt ?? story.now;
    const done = { ...paid.settlement, state: 'confirmed', confirmedAt } as const;
    return change(paid.story, done, nextCheck(story, done));
  }
  // A payment that operators or a statement have confirmed is only watched for its return.
  if (state === 'confirmed') return change(booked, known, nextCheck(story, settlement));
  // Money is known to have left: operators find out, and bring back the amount by evidence.
  const hasLeft = booked.state.payments.some(({ use }) => use === 'unasked');
  if (meaning === 'not_paid' && !hasLeft) {
    const detail = truncateText(`${channelId}: ${words}`, 200);
    return bringBack(booked, known, detail, nextCheck(story, { ...known, failedAt: story.now }));
  }
  return change(booked, known, nextCall(booked, known, !hasLeft && maySend(known, answer) ? during : null));
}

/**
 * Operators saw that the channel paid the settlement. It is booked like a confirmation of the channel. Any other
 * settlement is only confirmed.
 */
export function confirmPayment(
  story: Story,
  settlement: Settlement,
  { reference, line }: PayOrConfirmSettlement,
): Story {
  const { now } = story;
  const ended = { state: 'confirmed', confirmedAt: now, paidAt: settlement.paidAt ?? now, reference } as const;
  const paid = line ? { story, settlement } : payOut(story, settlement);
  const done = { ...paid.settlement, ...ended };
  const { channelId, paymentNo } = settlement;
  if (line?.shown && channelId !== null && paymentNo !== null) {
    const recorded = recordShown(story, { ...settlement, channelId, paymentNo }, line.shown.lines, 'out');
    return change(recorded, done, nextCheck(story, done));
  }
  return change(paid.story, done, done.channelId === null ? {} : nextCheck(story, done));
}

/** Whether a worker may be calling the channel: until the answer, or until the end of the lease. */
function isBeingCalled({ now }: Story, { commandId, nextActionAt }: Settlement): boolean {
  return commandId !== null && nextActionAt !== null && nextActionAt > now;
}

/** Operators saw that the settlement was not paid, or came back. The channel is queried a few more times. */
export function failPayment(story: Story, settlement: Settlement, detail: string): Story | Rejection {
  if (settlement.channelId === null) return bringBack(story, settlement, detail);
  if (isBeingCalled(story, settlement)) return 'not_due';
  if (settlement.state === 'confirmed') return bringBackPaid(story, settlement, detail);
  return bringBack(story, settlement, detail, nextCheck(story, { ...settlement, failedAt: story.now }));
}

/**
 * Posts the payment of the channel, once. If a line of a statement shows it, the break of this line has already posted
 * it.
 */
function payOut(story: Story, settlement: Settlement): { story: Story; settlement: Settlement } {
  const { merchantId, channelId, transferNo, debitLine, amount } = settlement;
  if (channelId === null || transferNo !== null || debitLine !== null) return { story, settlement };
  const money = { merchantId, orderNo: null, amount: Money.of(amount, story.state.wallet.currency) };
  const credit = channelAccount(channelId);
  const posted = story.post({ ...money, debit: 'external', credit, cause: 'settlement_paid' });
  return { story: posted, settlement: { ...settlement, transferNo: lastTransferOf(posted, merchantId) } };
}

/** Posts a payment of the channel that came back, whether the channel or a line of a statement has shown the payment. */
function bringBackPaid(story: Story, settlement: Settlement, detail: string): Story | Rejection {
  const paid = payOut(story, settlement);
  const { merchantId, channelId, amount } = paid.settlement;
  if (channelId === null) return bringBack(paid.story, paid.settlement, detail, noAction);
  const money = { merchantId, orderNo: null, amount: Money.of(amount, story.state.wallet.currency) };
  const debit = channelAccount(channelId);
  const posted = paid.story.post({ ...money, debit, credit: 'external', cause: 'settlement_returned' });
  const returnTransferNo = lastTransferOf(posted, merchantId);
  return bringBack(posted, paid.settlement, truncateText(detail, 200), { ...noAction, returnTransferNo });
}

/**
 * Money that the channel paid although the settlement had failed: the wallet has it too. Suspense bears it, and a new case says so. What the channel has
 * nevertheless is asked about without an end, any other one at the times of `nextCheck`.
 */
function applyAfterFailure(
  story: Story,
  settlement: Settlement,
  answer: ChannelAnswer,
  meaning: Meaning,
): Story | Rejection {
  const { merchantId, settlementNo, channelId, paymentNo, channelRef, transferNo, debitLine } = settlement;
  const isBooked = transferNo !== null || debitLine !== null;
  if (meaning === 'paid' && !isBooked && channelId !== null) {
    const amount = Money.of(settlement.amount, story.state.wallet.currency);
    const credit = channelAccount(channelId);
    const posted = story.post({ merchantId, orderNo: null, debit: 'suspense', credit, amount, cause: 'suspense_out' });
    const about = { merchantId, orderNo: null, channelId, reference: channelRef ?? paymentNo, amount };
    const detail = `settlement ${settlementNo} was paid by the channel after it had failed`;
    const opened = posted.openCase({ ...about, kind: 'payout_paid_again', detail, paymentOrderNo: paymentNo });
    return change(opened, settlement, { ...noAction, transferNo: lastTransferOf(posted, merchantId) });
  }
  if (settlement.nextAction === null) return story;
  if (isBooked || meaning === 'returned') return change(story, settlement, noAction);
  // A channel that said once that it did not pay may still pay.
  if (meaning === 'not_paid') return change(story, settlement, nextCheck(story, settlement));
  const hasIt = answer.outcome !== 'unknown' || channelRef !== null;
  return change(story, settlement, hasIt ? nextCall(story, settlement) : nextCheck(story, settlement));
}

function lastTransferOf({ state }: Story, merchantId: string): number {
  return walletOf(state, merchantId).lastTransferNo;
}

type NextCall = Pick<Settlement, 'nextAction' | 'nextActionAt' | 'commandId'>;

const noAction: NextCall = { nextAction: null, nextActionAt: null, commandId: null };

/**
 * Whether the payment may be sent. One that the channel accepted once is never sent again. One that the channel does
 * not know may be sent under the same number.
 */
function maySend({ channelRef }: Settlement, answer: ChannelAnswer): boolean {
  return channelRef === null && answer.outcome === 'unknown' && answer.why === 'not_found';
}

/**
 * `mayFollow`: the call that found that the payment may be sent again; null: it may not. A payment that a query did not
 * find is sent at once.
 */
function nextCall(
  { now, context }: Story,
  { attempt }: Settlement,
  mayFollow: ApplySettlementPayment['during'] | null = null,
): NextCall {
  const wait = Math.round(waitAt(payoutPollWaits, Math.max(0, attempt - 1)) * context.scheduleScale);
  if (mayFollow === null) return { nextAction: 'query', nextActionAt: now + wait, commandId: null };
  return { nextAction: 'send', nextActionAt: mayFollow === 'query' ? now : now + wait, commandId: null };
}

/** The next query of a payment that has ended, counted from its end; null after the last one. */
function nextCheck({ now, context }: Story, { confirmedAt, failedAt }: Settlement): NextCall {
  const endedAt = failedAt ?? confirmedAt ?? now;
  const times = failedRefundChecks.map((wait) => endedAt + Math.round(wait * context.scheduleScale));
  const next = times.find((time) => time > now);
  return next === undefined ? noAction : { nextAction: 'query', nextActionAt: next, commandId: null };
}
