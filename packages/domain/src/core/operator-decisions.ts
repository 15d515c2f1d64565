import { truncateText } from './channel-answer.ts';
import type { Command } from './commands.ts';
import { effectDigest } from './effect.ts';
import { signedSum } from './money.ts';
import { type Decision, isAlone, operatorActor } from './operator.ts';
import type { CancelOrder, ConfirmFunds, ResolvePayout } from './operator-commands.ts';
import { isTerminal } from './order.ts';
import { bookPayments } from './payin-payments.ts';
import { schedulePayin } from './payin-schedule.ts';
import { paymentOf } from './payment.ts';
import type { Rejection } from './rejection.ts';
import { hasMoneyLeft, releasePayout, settleByEvidence } from './settle-payout.ts';
import type { Story } from './story.ts';
import { nextBatchNo, type Wallet } from './wallet.ts';

/** Cancels an order: only if nothing was sent, or if its channel says that it is closed (decisions 5.2). */
export function cancelOrder(story: Story, { confirmedBy, by }: CancelOrder): Story | Rejection {
  const { order } = story;
  if (isTerminal(order.status)) return 'transition_impossible';
  // An operator may be paying it right now, and no channel knows of it.
  if (order.mode === 'market' && order.status === 'processing') return 'task_claimed';
  // Checked before the channel is asked to close it.
  if (story.statusAfter('operator_cancelled') === null) return 'transition_impossible';
  const nothingSent =
    (order.nextAction === 'submit' && order.attempt === 0) ||
    order.status === 'market_available' ||
    order.mode === 'manual';
  if (confirmedBy === 'nothing_sent' && !nothingSent) return 'already_sent';
  if (order.kind === 'payout' && hasMoneyLeft(story)) return 'money_left';
  const cause = { actor: operatorActor(by), detail: by.reason };
  const cancelled =
    order.kind === 'payin'
      ? story.move('operator_cancelled', cause)
      : releasePayout(story, 'operator_cancelled', cause);
  return cancelled ?? 'transition_impossible';
}

/**
 * Books funds that an operator saw come in. Late, duplicate, excess or unaccepted partial funds become a case
 * (decisions 5.5).
 */
export function confirmFunds(story: Story, { amount, reference, by }: ConfirmFunds): Story | Rejection {
  const { order, state } = story;
  if (order.mode !== 'manual' || order.kind !== 'payin') return 'operation_not_available';
  const known = paymentOf(state.payments, reference);
  if (known) return signedSum(order.currency, known.amount, `-${amount}`) === '0.00' ? story : 'booking_no_taken';
  const actor = operatorActor(by);
  const booked = bookPayments(story, { outcome: 'part_paid', payments: [{ reference, amount }] }, { actor });
  return isTerminal(booked.order.status) ? booked : schedulePayin(booked);
}

/** Resolves a stuck payout by evidence; two operators have to agree (decisions 5.4). */
export function resolvePayout(story: Story, { outcome, evidence, by }: ResolvePayout): Story | Rejection {
  const { kind, mode, status } = story.order;
  if (kind !== 'payout' || mode === 'manual') return 'operation_not_available';
  // On the task market the operators' proofs are the evidence, unless money has left that no proof is about.
  if (mode === 'market' && (outcome !== 'paid' || !hasMoneyLeft(story))) return 'operation_not_available';
  if (mode === 'market' && status === 'processing') return 'task_claimed';
  const cause = { actor: operatorActor(by), detail: truncateText(`${by.reason}; evidence: ${evidence}`, 500) };
  const resolved =
    outcome === 'paid'
      ? settleByEvidence(story, cause)
      : releasePayout(story, 'channel_failed', cause, 'bearing what left');
  if (!resolved) return 'transition_impossible';
  // Checked last, so that no operator is asked to approve what is impossible.
  if (isAlone(by)) return 'second_operator_needed';
  return outcome === 'failed' && isBeingSent(story) ? 'not_due' : resolved;
}

/** Whether a worker has claimed the payout to send it, and its lease is not over: an answer takes the claim's id away. */
function isBeingSent({ order: { nextAction, nextActionAt, commandId }, now }: Story): boolean {
  return nextAction === 'submit' && commandId !== null && nextActionAt !== null && nextActionAt > now;
}

/** Records an operator's decision at the wallet's merchant. */
export function recordDecision(story: Story, command: Command & { by: Decision }, wallet: Wallet): Story {
  const { type, by, id } = command;
  const { approvalId } = by;
  const record = {
    merchantId: wallet.merchantId,
    auditNo: wallet.lastAuditNo + 1,
    actor: by.actor,
    approver: by.approver,
    action: 'change' in command ? command.change : type,
    subject: subjectOf(command, wallet.merchantId),
    reason: by.reason,
    detail: JSON.stringify({ ...whatOf(command, story), ...(approvalId !== undefined && { approvalId }) }),
    at: story.at,
    commandId: id ?? null,
    batchNo: nextBatchNo(wallet),
  };
  return story.add({ type: 'audit recorded', record });
}

/** The permanent record of a decision: an order by its numbers without the payee, an approval without secrets. */
function whatOf(command: Command, { state: { approval } }: Story): object {
  const { type, by, id, ...what } = command as Command & { by: Decision };
  if ('approvalId' in command && approval) {
    const { merchantId, approvalId, operation, subject, input, requestedBy, outcome, effect } = approval;
    const request = { operation, subject, input, ...(effect !== null && { effect: effectDigest(effect) }) };
    const change = { merchantId, change: type, subject: approvalId };
    return type === 'requestApproval'
      ? { ...change, after: request }
      : { ...change, before: { ...request, requestedBy }, after: { outcome } };
  }
  if (!('ref' in command)) return what;
  const { merchantId, orderNo } = command.ref;
  return { ...what, ref: { merchantId, orderNo } };
}

function subjectOf(command: Command, merchantId: string): string {
  if ('ref' in command) return command.ref.orderNo;
  if (command.type === 'creditCase' && command.merchantId !== merchantId)
    return (command.toWallet ? null : command.orderNo) ?? `case ${command.caseNo} of ${command.merchantId}`;
  if ('caseNo' in command) return `case ${command.caseNo}`;
  if ('settlementNo' in command) return command.settlementNo;
  if ('bookingNo' in command) return command.bookingNo;
  if ('approvalId' in command) return command.approvalId;
  return 'change' in command ? command.subject : '';
}
