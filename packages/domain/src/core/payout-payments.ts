import { type ChannelAnswer, type ChannelPayment, inBrief } from './channel-answer.ts';
import { flagContradiction } from './contradiction.ts';
import { type Circumstances, type Draft, openCase, openCasesOf, post, recordPayment } from './draft.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { isTerminal, type Order } from './order.ts';
import { type CaseKind, isOutgoing, type PaymentUse } from './payment.ts';
import { settlePayout } from './settle-payout.ts';

type Direction = 'out' | 'back';

/**
 * Books every movement that an answer reports, once, whatever the payout's status (decisions 5.4, 5.5). The payment that was asked for
 * settles the order; all other money that left, and what the bank returned, goes to suspense with a case.
 */
export function takeMovements(
  draft: Draft,
  order: Order,
  answer: ChannelAnswer,
  by: { actor: string; detail?: string },
  on: Circumstances,
): void {
  const payments = 'payments' in answer ? (answer.payments ?? []) : [];
  const isNew = ({ reference }: ChannelPayment): boolean => findKnown(draft, reference, 'out') === undefined;
  const asked = payments.find((payment) => isNew(payment) && isWhole(order, payment.amount));
  if (isSettledByEvidence(draft, order)) {
    const seen = asked ?? payments.find(isNew);
    if (seen) confirmEvidence(draft, order, seen, on);
  } else if (asked && order.mode === 'upstream' && settlePayout(draft, order, 'paid', by, on)) {
    record(draft, order, asked, 'credited', on);
  }
  for (const payment of payments) takeUnaskedPayment(draft, order, payment, on);
  if (answer.outcome === 'returned') takeReturned(draft, order, answer.returned, answer.reason, on);
}

/** Operators have settled it by what they saw of a payment, and the channel's own word of that is still to come. */
function isSettledByEvidence(draft: Draft, order: Order): boolean {
  if (order.status !== 'completed' || order.mode !== 'upstream') return false;
  if (draft.payments.some(({ use }) => use === 'credited')) return false;
  // An earlier version kept nothing of the evidence.
  return draft.payments.length === 0 || draft.payments.some(({ use }) => use === 'evidence');
}

/** The first payment that the channel reports is the one that the operators saw; the difference is a case. */
function confirmEvidence(draft: Draft, order: Order, seen: ChannelPayment, on: Circumstances): void {
  record(draft, order, seen, 'credited', on);
  const asked = Money.of(order.amount, order.currency);
  const paid = Money.of(seen.amount, order.currency);
  const channel = channelAccount(order.channelId);
  const detail = `${paid} was paid, operators had seen ${asked}`;
  if (paid.isLessThan(asked)) {
    post(draft, channel, 'suspense', asked.minus(paid), 'suspense_in', order.orderNo, on.now);
    flag(draft, order, 'payout_underpaid', { ...seen, amount: asked.minus(paid).toString() }, detail, on);
  } else if (asked.isLessThan(paid)) {
    post(draft, 'suspense', channel, paid.minus(asked), 'suspense_out', order.orderNo, on.now);
    flag(draft, order, 'payout_paid_again', { ...seen, amount: paid.minus(asked).toString() }, detail, on);
  }
}

/** Money left that settles nothing: the platform's suspense bears it until an operator decides. */
function takeUnaskedPayment(draft: Draft, order: Order, payment: ChannelPayment, on: Circumstances): void {
  if (isBooked(draft, order, payment, 'out', on)) return;
  const amount = Money.of(payment.amount, order.currency);
  record(draft, order, payment, 'unasked', on);
  post(draft, 'suspense', channelAccount(order.channelId), amount, 'suspense_out', order.orderNo, on.now);
  const isOpen = !isTerminal(order.status) && order.mode === 'upstream';
  const detail = isOpen
    ? `${amount} of ${order.amount} was paid, the order stays open`
    : `paid by the channel while the order is ${order.status}`;
  flag(draft, order, isOpen ? 'payout_wrong_amount' : 'payout_paid_again', payment, detail, on);
}

/**
 * The bank sent money back. Of a payout that is not completed it is what the platform bears, where that is the same amount; otherwise it
 * waits in suspense for an operator's decision.
 */
function takeReturned(draft: Draft, order: Order, returned: ChannelPayment, reason: string, on: Circumstances): void {
  if (isBooked(draft, order, returned, 'back', on)) return;
  const amount = Money.of(returned.amount, order.currency);
  record(draft, order, returned, 'returned', on);
  post(draft, channelAccount(order.channelId), 'suspense', amount, 'suspense_in', order.orderNo, on.now);
  const borne =
    order.status === 'completed'
      ? undefined
      : openCasesOf(draft, order).find(
          (found) => isOutgoing(found.kind) && Money.of(found.amount, order.currency).equals(amount),
        );
  if (!borne) {
    flag(draft, order, 'payout_returned', returned, `returned by the bank: ${inBrief(reason, 150)}`, on);
    return;
  }
  Object.assign(borne, { state: 'returned', closedAt: on.now });
  draft.changedCases.push(borne);
}

/** Whether it was booked before; a second amount under the same reference contradicts the first. */
function isBooked(
  draft: Draft,
  order: Order,
  { reference, amount }: ChannelPayment,
  direction: Direction,
  on: Circumstances,
): boolean {
  const known = findKnown(draft, reference, direction);
  if (!known) return false;
  if (!Money.of(known.amount, order.currency).equals(Money.of(amount, order.currency)))
    flagContradiction(draft, order, `${reference} was ${known.amount} before and is ${amount} now`, on);
  return true;
}

const suffixes = { out: '/paid', back: '/returned' } as const;

/** A payment and its return may have the same reference at the channel. `suspense` is from a version that kept no direction. */
function findKnown(draft: Draft, reference: string, direction: Direction): { amount: string } | undefined {
  return draft.payments.find(
    ({ use, ...known }) =>
      (known.reference === reference || known.reference === withSuffix(reference, direction)) &&
      (use === 'suspense' || directionOf(use) === direction),
  );
}

function record(draft: Draft, order: Order, payment: ChannelPayment, use: PaymentUse, on: Circumstances): void {
  const isTaken = draft.payments.some(({ reference }) => reference === payment.reference);
  const reference = isTaken ? withSuffix(payment.reference, directionOf(use)) : payment.reference;
  recordPayment(draft, { ...order, ...payment, reference }, use, on.now);
}

function directionOf(use: PaymentUse): Direction {
  return use === 'returned' ? 'back' : 'out';
}

function withSuffix(reference: string, direction: Direction): string {
  return `${inBrief(reference, 118)}${suffixes[direction]}`;
}

function isWhole(order: Order, amount: string): boolean {
  return Money.of(amount, order.currency).equals(Money.of(order.amount, order.currency));
}

function flag(
  draft: Draft,
  order: Order,
  kind: CaseKind,
  { reference, amount }: ChannelPayment,
  detail: string,
  on: Circumstances,
): void {
  const { orderNo, channelId, currency } = order;
  openCase(draft, { kind, orderNo, channelId, reference, amount: Money.of(amount, currency), detail }, on.now);
}
