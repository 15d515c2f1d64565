import { describeAnswer } from './channel-answer.ts';
import type { ApplyReport, CreatePayout } from './commands.ts';
import { flagContradictingAnswer } from './contradiction.ts';
import { type Circumstances, type Draft, enterWallet, move, nextBatchNo, post, recordTransition } from './draft.ts';
import { Money } from './money.ts';
import { isTerminal, type Order } from './order.ts';
import { takeMovements } from './payout-payments.ts';
import { schedulePayout } from './payout-schedule.ts';
import type { Rejection } from './rejection.ts';
import { releasePayout } from './settle-payout.ts';

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
    contradiction: null,
    nextAction: upstream ? 'submit' : null,
    nextActionAt: upstream ? on.now : null,
    attempt: 0,
    expiresAt: null,
    createdAt: on.now,
    updatedAt: on.now,
    completedAt: null,
    traceparent: draft.traceparent,
    commandId: null,
    batchNo: nextBatchNo(draft),
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
  const before = order.status;
  takeMovements(draft, order, answer, by, on);
  // No channel was ever asked to carry it: none can end it. But money that one says it moved has moved.
  if (order.mode === 'market') return;
  if (answer.outcome !== 'unknown' && answer.outcome !== 'refused')
    order.channelRef ??= answer.channelRef ?? order.orderNo;
  switch (answer.outcome) {
    case 'accepted':
      move(draft, order, 'channel_accepted', by, on);
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
    case 'paid':
    case 'part_paid':
    case 'returned':
    case 'unknown':
      break;
    default:
      answer satisfies never;
  }
  flagContradictingAnswer(draft, order, answer, before, on);
  if (!isTerminal(order.status)) schedulePayout(order, report, on);
}
