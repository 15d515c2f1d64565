import { type ChannelAnswer, type ChannelPayment, truncateText } from './channel-answer.ts';
import { flagContradiction } from './contradiction.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { isTerminal, type Order } from './order.ts';
import { type CaseKind, isOutgoing, type Payment, type PaymentUse } from './payment.ts';
import { settlePayout } from './settle-payout.ts';
import { openCasesOf } from './state.ts';
import type { Cause, Story } from './story.ts';

type Direction = 'out' | 'back';

/**
 * Books every movement of an answer once, at any status of the payout (decisions 5.4, 5.5). The requested payment
 * settles the order. All other money that left, and all that the bank returned, goes to suspense with a case.
 */
export function bookMovements(story: Story, answer: ChannelAnswer, cause: Cause): Story {
  const payments = 'payments' in answer ? (answer.payments ?? []) : [];
  const settled = bookRequestedPayment(story, payments, cause);
  const booked = payments.reduce(bookUnrequestedPayment, settled);
  return answer.outcome === 'returned' ? bookReturn(booked, answer.returned, answer.reason) : booked;
}

/** The requested payment settles the order, or confirms the evidence of operators. */
function bookRequestedPayment(story: Story, payments: readonly ChannelPayment[], cause: Cause): Story {
  const { order, state } = story;
  const isNew = ({ reference }: ChannelPayment): boolean => findKnown(state.payments, reference, 'out') === undefined;
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
  // An earlier version did not store the evidence.
  return payments.length === 0 || payments.some(({ use }) => use === 'evidence');
}

/** The first payment that the channel reports is the one that the operators saw. A difference becomes a case. */
function confirmEvidence(story: Story, seen: ChannelPayment): Story {
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
function bookUnrequestedPayment(story: Story, payment: ChannelPayment): Story {
  const known = findKnown(story.state.payments, payment.reference, 'out');
  if (known) return flagOtherAmount(story, known, payment);
  const { merchantId, orderNo, channelId, currency, status, mode } = story.order;
  const amount = Money.of(payment.amount, currency);
  const isOpen = !isTerminal(status) && mode === 'upstream';
  const kind: CaseKind = isOpen ? 'payout_wrong_amount' : 'payout_paid_again';
  const detail = isOpen
    ? `${amount} of ${story.order.amount} was paid, the order stays open`
    : `paid by the channel while the order is ${status}`;
  return record(story, payment, 'unasked')
    .post({ merchantId, orderNo, debit: 'suspense', credit: channelAccount(channelId), amount, cause: 'suspense_out' })
    .openCase({ ...caseOf(story.order, payment), kind, detail });
}

/**
 * The bank returned money. On a payout that is not completed, it closes a case of the same amount that the platform
 * bears. Otherwise it waits in suspense for an operator's decision.
 */
function bookReturn(story: Story, returned: ChannelPayment, reason: string): Story {
  const known = findKnown(story.state.payments, returned.reference, 'back');
  if (known) return flagOtherAmount(story, known, returned);
  const { merchantId, orderNo, channelId, currency, status } = story.order;
  const amount = Money.of(returned.amount, currency);
  const recorded = record(story, returned, 'returned');
  const debit = channelAccount(channelId);
  const booked = recorded.post({ merchantId, orderNo, debit, credit: 'suspense', amount, cause: 'suspense_in' });
  const isBorne = ({ kind, amount: borne }: { kind: CaseKind; amount: string }): boolean =>
    isOutgoing(kind) && Money.of(borne, currency).equals(amount);
  const borne = status === 'completed' ? undefined : openCasesOf(booked.state, story.order).find(isBorne);
  if (borne) return booked.closeCase(borne, 'returned');
  const detail = `returned by the bank: ${truncateText(reason, 150)}`;
  return booked.openCase({ ...caseOf(story.order, returned), kind: 'payout_returned', detail });
}

/** A second amount under the same reference contradicts the first. */
function flagOtherAmount(story: Story, known: Payment, { reference, amount }: ChannelPayment): Story {
  const { currency } = story.order;
  if (Money.of(known.amount, currency).equals(Money.of(amount, currency))) return story;
  return flagContradiction(story, `${reference} was ${known.amount} before and is ${amount} now`);
}

const suffixes = { out: '/paid', back: '/returned' } as const;

/** A payment and its return may have the same reference at the channel. `suspense` is from a version that kept no direction. */
function findKnown(payments: readonly Payment[], reference: string, direction: Direction): Payment | undefined {
  return payments.find(
    (known) =>
      (known.reference === reference || known.reference === withSuffix(reference, direction)) &&
      (known.use === 'suspense' || directionOf(known.use) === direction),
  );
}

function record(story: Story, payment: ChannelPayment, use: PaymentUse): Story {
  const { merchantId, orderNo, channelId } = story.order;
  const isTaken = story.state.payments.some(({ reference }) => reference === payment.reference);
  const reference = isTaken ? withSuffix(payment.reference, directionOf(use)) : payment.reference;
  return story.recordPayment({ merchantId, orderNo, channelId, ...payment, reference, use });
}

function directionOf(use: PaymentUse): Direction {
  return use === 'returned' ? 'back' : 'out';
}

function withSuffix(reference: string, direction: Direction): string {
  return `${truncateText(reference, 118)}${suffixes[direction]}`;
}

function isWhole(order: Order, amount: string): boolean {
  return Money.of(amount, order.currency).equals(Money.of(order.amount, order.currency));
}

/** The fields of a case about this payment. */
function caseOf({ merchantId, orderNo, channelId, currency }: Order, { reference, amount }: ChannelPayment) {
  return { merchantId, orderNo, channelId, reference, amount: Money.of(amount, currency) };
}
