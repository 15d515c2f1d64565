import { type ChannelAnswer, describeAnswer } from './channel-answer.ts';
import type { ApplyReport, CreatePayin } from './commands.ts';
import { flagContradictingAnswer } from './contradiction.ts';
import { type Circumstances, type Draft, move, nextBatchNo, openCase, recordTransition } from './draft.ts';
import { Money } from './money.ts';
import { failureReasonOf } from './notification.ts';
import { isTerminal, type Order } from './order.ts';
import { takePayments } from './payin-payments.ts';
import { schedulePayin, watchForLateMoney } from './payin-schedule.ts';
import { type Trigger, transition } from './transitions.ts';

/** Puts a new payin into the draft: created, and where its country says so already processing. */
export function createPayin(draft: Draft, command: CreatePayin, on: Circumstances): void {
  // Of a manual channel nobody is asked: an operator confirms what comes in.
  const manual = command.order.mode === 'manual';
  const expiresAt = on.now + Math.round(command.expiresIn * on.scheduleScale);
  const order: Order = {
    ...command.order,
    status: 'created',
    paidAmount: '0.00',
    channelRef: null,
    payLink: null,
    payQr: null,
    task: null,
    failureReason: null,
    contradiction: null,
    nextAction: manual ? 'expire' : 'submit',
    nextActionAt: manual ? expiresAt : on.now + command.submitAfter,
    // Who creates an order and submits it in the same breath is its first try.
    attempt: command.submitAfter === 0 ? 0 : 1,
    expiresAt,
    createdAt: on.now,
    updatedAt: on.now,
    completedAt: null,
    traceparent: draft.traceparent,
    commandId: null,
    batchNo: nextBatchNo(draft),
  };
  draft.order = order;
  recordTransition(draft, order, 'new', 'created', 'created', { actor: 'merchant' }, on.now);
  move(draft, order, 'begun', { actor: 'merchant' }, on);
}

/** Applies what the channel said of a payin. Hearing the same thing twice, late or out of order changes nothing more. */
export function applyPayinReport(draft: Draft, order: Order, report: ApplyReport, on: Circumstances): void {
  const { answer } = report;
  const actor = `channel:${report.channelId}`;
  const before = order.status;
  acknowledge(draft, order, answer, actor, on);
  takePayments(draft, order, answer, actor, on);
  takeWaysToPayRest(order, answer);
  const trigger = endingOf(order, report);
  if (trigger) end(draft, order, trigger, { actor, detail: describeAnswer(answer) }, on);
  // A close that a callback tells is the echo of our own request.
  if (answer.outcome !== 'closed' || report.during !== 'callback')
    flagContradictingAnswer(draft, order, answer, before, on);
  if (isTerminal(order.status)) watchForLateMoney(order, report, trigger, on);
  else schedulePayin(order, on);
}

/** The first sign that the channel has the order: keep its reference, and move on from `created`. */
function acknowledge(draft: Draft, order: Order, answer: ChannelAnswer, actor: string, on: Circumstances): void {
  if (answer.outcome === 'unknown' || answer.outcome === 'refused') return;
  order.channelRef ??= answer.channelRef ?? order.orderNo;
  if (answer.outcome !== 'accepted') return;
  // Once a part is paid, a way to pay the whole amount asks for too much.
  if (order.paidAmount === '0.00') {
    order.payLink ??= answer.payLink ?? null;
    order.payQr ??= answer.payQr ?? null;
  }
  move(draft, order, 'channel_accepted', { actor }, on);
}

/** Keeps the channel's link and QR code for the rest. An older answer, which knows fewer payments, asks for too much. */
function takeWaysToPayRest(order: Order, answer: ChannelAnswer): void {
  if (answer.outcome !== 'part_paid' || order.status !== 'partial_paid') return;
  const known = answer.payments.map(({ amount }) => Money.of(amount, order.currency));
  const paid = known.reduce((sum, amount) => sum.plus(amount), Money.zero(order.currency));
  if (paid.toString() !== order.paidAmount) return;
  order.payLink = answer.payLink ?? order.payLink;
  order.payQr = answer.payQr ?? order.payQr;
}

/** What the answer means for an order that its payments did not complete. */
function endingOf(order: Order, { answer, during }: ApplyReport): Trigger | null {
  if (isTerminal(order.status)) return null;
  switch (answer.outcome) {
    case 'refused':
      return 'channel_refused';
    case 'failed':
      // With a part of the money there it does not fail (decisions 5.2): its time has to run out.
      if (order.status === 'partial_paid') return during === 'expiry' ? 'unpaid' : null;
      return 'channel_failed';
    case 'timed_out':
      return 'unpaid';
    case 'closed':
      // It was closed because we asked: whoever did says in what way the order ends. A poll finds the close of one who died.
      return during === 'callback' ? null : 'unpaid';
    case 'unknown':
      if (during === 'create') return order.channelRef === null ? 'channel_unanswered' : null;
      return during === 'expiry' && answer.why === 'not_found' ? 'unpaid' : null;
    case 'accepted':
    case 'paid':
    case 'part_paid':
    case 'returned':
      return during === 'expiry' ? 'unpaid' : null;
    default:
      return answer satisfies never;
  }
}

function end(
  draft: Draft,
  order: Order,
  trigger: Trigger,
  by: { actor: string; detail?: string },
  on: Circumstances,
): void {
  if (transition('payin', order.country, order.status, trigger) === null) return;
  order.failureReason = failureReasonOf(trigger);
  const parts = Money.of(order.paidAmount, order.currency);
  move(draft, order, trigger, by, on);
  if (parts.isZero() || draft.payments.every((payment) => payment.use !== 'part')) return;
  const detail = `${parts} of ${order.amount} came before the order ended ${order.status}`;
  openCase(
    draft,
    {
      kind: 'parts_of_unpaid',
      orderNo: order.orderNo,
      channelId: order.channelId,
      reference: null,
      amount: parts,
      detail,
    },
    on.now,
  );
}
