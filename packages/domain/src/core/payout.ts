import { type ChannelPayment, describeAnswer, inBrief } from './channel-answer.ts';
import type { ApplyReport, CreatePayout } from './commands.ts';
import {
  type Circumstances,
  type Draft,
  enterWallet,
  move,
  openCase,
  post,
  recordPayment,
  recordTransition,
} from './draft.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { failureReasonOf } from './notification.ts';
import { isTerminal, type Order } from './order.ts';
import type { CaseKind } from './payment.ts';
import { schedulePayout } from './payout-schedule.ts';
import type { Rejection } from './rejection.ts';
import type { Trigger } from './transitions.ts';

/**
 * Puts a new payout into the draft and freezes its net amount, or refuses it where the wallet cannot bear it.
 * It is created, and in India already processing (decisions 5.2); a market payout is listed as a task at once.
 */
export function createPayout(draft: Draft, command: CreatePayout, on: Circumstances): Rejection | null {
  const { currency, orderNo, merchantOrderNo, mode } = command.order;
  const net = Money.of(command.order.netAmount, currency);
  const freeze = {
    availableChange: net.negated(),
    frozenChange: net,
    orderNo,
    merchantOrderNo,
    remark: null,
    bookingNo: null,
  };
  if (!enterWallet(draft, { type: 'PAYOUT_FREEZE', ...freeze }, on.now)) return 'balance_insufficient';
  post(draft, 'available', 'frozen', net, 'payout_freeze', orderNo, on.now);
  const upstream = mode === 'upstream';
  const order: Order = {
    ...command.order,
    status: 'created',
    paidAmount: '0.00',
    channelRef: null,
    payLink: null,
    payQr: null,
    task: null,
    failureReason: null,
    nextAction: upstream ? 'submit' : null,
    nextActionAt: upstream ? on.now : null,
    attempt: 0,
    expiresAt: null,
    createdAt: on.now,
    updatedAt: on.now,
    completedAt: null,
    traceparent: draft.traceparent,
  };
  draft.order = order;
  recordTransition(draft, order, 'new', 'created', 'created', { actor: 'merchant' }, on.now);
  if (mode === 'market') move(draft, order, 'task_listed', { actor: 'market' }, on);
  else move(draft, order, 'begun', { actor: 'merchant' }, on);
  return null;
}

/**
 * Applies what the channel said of a payout. No definite answer changes nothing but when to ask again: the freeze stays
 * (decisions 5.4). Hearing the same thing twice, late or out of order changes nothing more.
 */
export function applyPayoutReport(draft: Draft, order: Order, report: ApplyReport, on: Circumstances): void {
  const { answer } = report;
  const by = { actor: `channel:${report.channelId}`, detail: describeAnswer(answer) };
  if (order.mode === 'market') {
    // No channel was ever asked to carry it: none can end it. But money that one says it paid has left.
    if ('payments' in answer)
      for (const payment of answer.payments ?? []) takeUnaskedPayment(draft, order, payment, on);
    return;
  }
  if (answer.outcome !== 'unknown' && answer.outcome !== 'refused')
    order.channelRef ??= answer.channelRef ?? order.orderNo;
  switch (answer.outcome) {
    case 'accepted':
      move(draft, order, 'channel_accepted', by, on);
      break;
    case 'paid':
      takePaid(draft, order, answer.payments, by, on);
      break;
    case 'returned':
      takePaid(draft, order, answer.payments, by, on);
      takeReturned(draft, order, answer.returned, answer.reason, on);
      break;
    case 'refused':
      releasePayout(draft, order, 'channel_refused', by, on);
      break;
    case 'failed':
      releasePayout(draft, order, 'channel_failed', by, on);
      break;
    case 'timed_out':
      releasePayout(draft, order, 'unpaid', by, on);
      break;
    case 'closed':
      // Told by a callback it is the echo of our own request, whose asker says who cancelled.
      if (report.during !== 'callback') releasePayout(draft, order, 'operator_cancelled', by, on);
      break;
    case 'part_paid':
    case 'unknown':
      break;
    default:
      answer satisfies never;
  }
  if (!isTerminal(order.status)) schedulePayout(order, report, on);
}

/** Gives the frozen money back, and ends the payout along `trigger`; does nothing where its table has no such row. */
export function releasePayout(
  draft: Draft,
  order: Order,
  trigger: Trigger,
  by: { actor: string; detail?: string },
  on: Circumstances,
): boolean {
  const reasonBefore = order.failureReason;
  order.failureReason = failureReasonOf(trigger);
  if (!move(draft, order, trigger, by, on)) {
    order.failureReason = reasonBefore;
    return false;
  }
  const { currency, orderNo, merchantOrderNo } = order;
  const net = Money.of(order.netAmount, currency);
  const release = {
    availableChange: net,
    frozenChange: net.negated(),
    orderNo,
    merchantOrderNo,
    remark: null,
    bookingNo: null,
  };
  mustEnter(enterWallet(draft, { type: 'PAYOUT_RELEASE', ...release }, on.now), orderNo);
  post(draft, 'frozen', 'available', net, 'payout_release', orderNo, on.now);
  return true;
}

/** Pays the frozen money out: the amount to the channel, the fee to the platform. `trigger` is `paid` or `proof_accepted`. */
export function settlePayout(
  draft: Draft,
  order: Order,
  trigger: 'paid' | 'proof_accepted',
  by: { actor: string; detail?: string },
  on: Circumstances,
): boolean {
  if (!move(draft, order, trigger, by, on)) return false;
  const { currency, orderNo, merchantOrderNo } = order;
  order.paidAmount = order.amount;
  const settled = {
    availableChange: Money.zero(currency),
    frozenChange: Money.of(order.netAmount, currency).negated(),
  };
  mustEnter(
    enterWallet(draft, { type: 'PAYOUT', ...settled, orderNo, merchantOrderNo, remark: null, bookingNo: null }, on.now),
    orderNo,
  );
  post(
    draft,
    'frozen',
    channelAccount(order.channelId),
    Money.of(order.amount, currency),
    'payout_settle',
    orderNo,
    on.now,
  );
  post(draft, 'frozen', 'fee_revenue', Money.of(order.feeAmount, currency), 'payout_fee', orderNo, on.now);
  return true;
}

/**
 * The payment that was asked for settles the order, whatever else is told beside it. A wrong sum on an open payout is no definite
 * answer: nothing moves, and it is asked about until it is cleared up.
 */
function takePaid(
  draft: Draft,
  order: Order,
  payments: readonly ChannelPayment[],
  by: { actor: string; detail?: string },
  on: Circumstances,
): void {
  const asked = payments.find(({ reference, amount }) => !isKnown(draft, reference) && isWhole(order, amount));
  if (asked && (isSettledByEvidence(draft, order) || settlePayout(draft, order, 'paid', by, on)))
    recordPayment(draft, { ...order, ...asked }, 'credited', on.now);
  if (isTerminal(order.status)) for (const payment of payments) takeUnaskedPayment(draft, order, payment, on);
}

/** Operators have settled it by what they saw of a payment; the channel's own word of it comes after. */
function isSettledByEvidence(draft: Draft, order: Order): boolean {
  return order.status === 'completed' && !draft.payments.some(({ use }) => use === 'credited');
}

/** Money left that was not ours to send: the platform's suspense bears it until an operator decides. */
function takeUnaskedPayment(draft: Draft, order: Order, payment: ChannelPayment, on: Circumstances): void {
  if (isKnown(draft, payment.reference)) return;
  const amount = Money.of(payment.amount, order.currency);
  recordPayment(draft, { ...order, ...payment }, 'suspense', on.now);
  post(draft, 'suspense', channelAccount(order.channelId), amount, 'suspense_out', order.orderNo, on.now);
  flag(draft, order, 'payout_paid_again', payment, `paid by the channel while the order is ${order.status}`, on);
}

/** The bank sent the money of a completed payout back: it waits in suspense for an operator's decision (decisions 5.5). */
function takeReturned(draft: Draft, order: Order, returned: ChannelPayment, reason: string, on: Circumstances): void {
  if (order.status !== 'completed' || isKnown(draft, returned.reference)) return;
  recordPayment(draft, { ...order, ...returned }, 'suspense', on.now);
  post(
    draft,
    channelAccount(order.channelId),
    'suspense',
    Money.of(returned.amount, order.currency),
    'suspense_in',
    order.orderNo,
    on.now,
  );
  flag(draft, order, 'payout_returned', returned, `returned by the bank: ${inBrief(reason, 150)}`, on);
}

function isKnown(draft: Draft, reference: string): boolean {
  return draft.payments.some((known) => known.reference === reference);
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

function mustEnter(entered: boolean, orderNo: string): void {
  if (!entered) throw new Error(`the wallet holds less frozen than ${orderNo} froze`);
}
