import { type ChannelAnswer, type ChannelPayment, truncateText } from './channel-answer.ts';
import { flagContradiction } from './contradiction.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { isTerminal, type Order } from './order.ts';
import {
  type CaseKind,
  isOutgoing,
  isTypedAs,
  leftOfCase,
  type MoneyCase,
  type Payment,
  type PaymentDirection,
  type PaymentUse,
} from './payment.ts';
import { confirmPlaceholders, isReportedMeanwhile, isSameMovement } from './proven-payment.ts';
import { repayCases } from './repay-cases.ts';
import { settlePayout } from './settle-payout.ts';
import { openCasesOf } from './state.ts';
import type { Cause, Story } from './story.ts';

type Direction = Exclude<PaymentDirection, 'in'>;

/** A movement of an answer. `line`: the statement line that proves it; null: the channel reports it. */
type Reported = ChannelPayment & { line: string | null };

/**
 * Books every movement of an answer once, at any status of the payout (decisions 5.4, 5.5). The requested payment
 * settles the order. All other money that left, and all that the bank returned, goes to suspense with a case. What a
 * statement `line` proves waits for the channel's report, which then confirms it. If the channel has reported it
 * meanwhile, nothing is booked. `explained`: how many such movements of the payout other lines explain.
 */
export function bookMovements(
  story: Story,
  answer: ChannelAnswer,
  cause: Cause,
  { line, explained }: { line: string | null; explained: number } = { line: null, explained: 0 },
): Story {
  const isNew = (movement: ChannelPayment, direction: Direction): boolean =>
    line === null
      ? direction === 'back' || !isProved(story, movement)
      : !isReportedMeanwhile(movementsOf(story, direction), movement.amount, explained);
  const shown = 'payments' in answer ? (answer.payments ?? []) : [];
  const payments = shown.filter((one) => isNew(one, 'out')).map((one) => ({ ...one, line }));
  const back = answer.outcome === 'returned' && isNew(answer.returned, 'back') ? answer.returned : null;
  const returned = back && { ...back, line };
  const paid = line === null ? confirm(story, payments, 'out') : story;
  const confirmed = line === null && returned ? confirm(paid, [returned], 'back') : paid;
  const settled = bookRequestedPayment(confirmed, payments, cause);
  const booked = payments.reduce(bookUnrequestedPayment, settled);
  return returned && answer.outcome === 'returned' ? bookReturn(booked, returned, answer.reason) : booked;
}

/** What moved of a payout in one direction. A proof of the task market that was accepted has no row, unless the payment was shown before. */
function movementsOf(story: Story, direction: Direction): Pick<Payment, 'amount' | 'use' | 'line'>[] {
  const { order, state } = story;
  const known = state.payments.filter((one) => one.channelId === order.channelId && one.direction === direction);
  const { amount, task } = order;
  const proved = { reference: task?.proof?.reference ?? '', amount };
  const hasRow = known.some(isTypedAs(proved.reference));
  if (direction === 'back' || hasRow || !isProved(story, proved)) return known;
  return [...known, { amount, use: 'credited', line: null }];
}

/** Whether it is the payment of the proof that was accepted. */
function isProved({ order }: Story, payment: ChannelPayment): boolean {
  const proof = order.status === 'completed' ? order.task?.proof : null;
  return proof != null && isWhole(order, payment.amount) && isTypedAs(proof.reference)(payment);
}

function confirm(story: Story, reported: readonly Reported[], direction: Direction): Story {
  const { merchantId, orderNo, channelId } = story.order;
  const movements = reported.map(({ reference, amount }) => ({ direction, reference, amount }));
  return confirmPlaceholders(story, { merchantId, orderNo, channelId }, movements);
}

/** The requested payment settles the order, or confirms the evidence of operators. */
function bookRequestedPayment(story: Story, payments: readonly Reported[], cause: Cause): Story {
  const { order, state } = story;
  const isNew = (payment: Reported): boolean => findKnown(state.payments, payment, 'out') === undefined;
  const expected = payments.find((payment) => isNew(payment) && isWhole(order, payment.amount));
  if (isSettledByEvidence(story)) {
    const seen = expected ?? payments.find(isNew);
    return seen ? confirmEvidence(story, seen) : story;
  }
  const settled = expected && order.mode === 'upstream' ? settlePayout(story, 'paid', cause) : null;
  return expected && settled ? record(settled, expected, 'credited') : story;
}

/** Whether operators settled it by evidence, and the channel has not reported the payment yet. */
function isSettledByEvidence({ order, state: { payments } }: Story): boolean {
  if (order.status !== 'completed' || order.mode !== 'upstream') return false;
  if (payments.some(({ use }) => use === 'credited')) return false;
  return payments.some(({ use }) => use === 'evidence');
}

/** The first payment that the channel reports is the one that the operators saw. A difference becomes a case. */
function confirmEvidence(story: Story, seen: Reported): Story {
  const { merchantId, orderNo, channelId, currency } = story.order;
  const recorded = record(story, seen, 'credited');
  const orderAmount = Money.of(story.order.amount, currency);
  const paid = Money.of(seen.amount, currency);
  const channel = channelAccount(channelId);
  const detail = `${paid} was paid, operators had seen ${orderAmount}`;
  if (paid.isLessThan(orderAmount)) {
    const amount = orderAmount.minus(paid);
    return recorded
      .post({ merchantId, orderNo, debit: channel, credit: 'suspense', amount, cause: 'suspense_in' })
      .openCase({ ...caseOf(story.order, seen), kind: 'payout_underpaid', amount, detail });
  }
  if (orderAmount.isLessThan(paid)) {
    const amount = paid.minus(orderAmount);
    return recorded
      .post({ merchantId, orderNo, debit: 'suspense', credit: channel, amount, cause: 'suspense_out' })
      .openCase({ ...caseOf(story.order, seen), kind: 'payout_paid_again', amount, detail });
  }
  return recorded;
}

/** Money left that settles nothing: the platform's suspense bears it until an operator decides. */
function bookUnrequestedPayment(story: Story, payment: Reported): Story {
  const known = findKnown(story.state.payments, payment, 'out');
  if (known) return flagOtherAmount(story, known, payment);
  const { status, mode, currency } = story.order;
  if (isTerminal(status) || mode !== 'upstream')
    return bookPaidAgain(story, payment, `paid by the channel while the order is ${status}`);
  const detail = `${Money.of(payment.amount, currency)} of ${story.order.amount} was paid, the order stays open`;
  return bookOutgoing(story, payment, 'payout_wrong_amount', detail);
}

/** Money left for a payout that has ended, or that somebody else pays: it becomes a case. */
export function bookPaidAgain(story: Story, payment: ChannelPayment, detail: string): Story {
  return bookOutgoing(story, { line: null, ...payment }, 'payout_paid_again', detail);
}

function bookOutgoing(story: Story, payment: Reported, kind: CaseKind, detail: string): Story {
  const { merchantId, orderNo, channelId, currency } = story.order;
  const amount = Money.of(payment.amount, currency);
  return record(story, payment, 'unasked')
    .post({ merchantId, orderNo, debit: 'suspense', credit: channelAccount(channelId), amount, cause: 'suspense_out' })
    .openCase({ ...caseOf(story.order, payment), kind, detail });
}

/**
 * The bank returned money. On a payout that is not completed, it repays the open cases over money that left: the one of
 * its amount first, then the oldest. The rest, and the return of a completed payout, waits in suspense for an operator's
 * decision.
 */
function bookReturn(story: Story, returned: Reported, reason: string): Story {
  const known = findKnown(story.state.payments, returned, 'back');
  if (known) return flagOtherAmount(story, known, returned);
  const { merchantId, orderNo, channelId, currency, status } = story.order;
  const amount = Money.of(returned.amount, currency);
  const recorded = record(story, returned, 'returned');
  const debit = channelAccount(channelId);
  const booked = recorded.post({ merchantId, orderNo, debit, credit: 'suspense', amount, cause: 'suspense_in' });
  const open = openCasesOf(booked.state, story.order).filter(({ kind }) => isOutgoing(kind));
  const isWhole = (found: MoneyCase): boolean => leftOfCase(found).equals(amount);
  const borne = status === 'completed' ? [] : [...open.filter(isWhole), ...open.filter((one) => !isWhole(one))];
  const { story: repaid, left } = repayCases(booked, borne, amount);
  if (left.isZero()) return repaid;
  const detail = `returned by the bank: ${truncateText(reason, 150)}`;
  return repaid.openCase({ ...caseOf(story.order, returned), amount: left, kind: 'payout_returned', detail });
}

/** A second amount under the same reference contradicts the first. */
function flagOtherAmount(story: Story, known: Payment, { reference, amount }: ChannelPayment): Story {
  const { currency } = story.order;
  if (Money.of(known.amount, currency).equals(Money.of(amount, currency))) return story;
  return flagContradiction(story, `${reference} was ${known.amount} before and is ${amount} now`);
}

/** A payment and its return may have the same reference at the channel. */
function findKnown(
  payments: readonly Payment[],
  { reference, line }: Reported,
  direction: Direction,
): Payment | undefined {
  return payments.find((known) => {
    if (known.direction !== direction) return false;
    if (line !== null && known.line === line) return true;
    return known.reference === reference && isSameMovement(known, line);
  });
}

function record(story: Story, payment: Reported, use: PaymentUse): Story {
  const { merchantId, orderNo, channelId } = story.order;
  const direction = use === 'returned' ? 'back' : 'out';
  return story.recordPayment({ merchantId, orderNo, channelId, direction, ...payment, use });
}

function isWhole(order: Order, amount: string): boolean {
  return Money.of(amount, order.currency).equals(Money.of(order.amount, order.currency));
}

/** The fields of a case about this payment. */
function caseOf({ merchantId, orderNo, channelId, currency }: Order, { reference, amount }: ChannelPayment) {
  return { merchantId, orderNo, channelId, reference, amount: Money.of(amount, currency) };
}
