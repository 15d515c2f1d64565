import { auditHash } from './audit-hash.ts';
import type { Command } from './commands.ts';
import { type Circumstances, type Draft, move } from './draft.ts';
import { signedSum } from './money.ts';
import { type Decision, operatorActor } from './operator.ts';
import type { CancelOrder, ConfirmFunds, ResolvePayout } from './operator-commands.ts';
import type { Order } from './order.ts';
import { isTerminal } from './order.ts';
import { takePayments } from './payin-payments.ts';
import { schedulePayin } from './payin-schedule.ts';
import { plainReference } from './plain-reference.ts';
import type { Rejection } from './rejection.ts';
import { releasePayout, settleByEvidence } from './settle-payout.ts';
import { transition } from './transitions.ts';

/** Cancels an order: only where nothing was sent, or where its channel says that it is closed (decisions 5.2). */
export function cancelOrder(
  draft: Draft,
  order: Order,
  { confirmedBy, by }: CancelOrder,
  on: Circumstances,
): Rejection | null {
  if (isTerminal(order.status)) return 'transition_impossible';
  // Somebody may be paying it this very moment, and no channel knows of it.
  if (order.mode === 'market' && order.status === 'processing') return 'task_claimed';
  // Judged before its channel is asked to close it.
  if (transition(order.kind, order.country, order.status, 'operator_cancelled') === null)
    return 'transition_impossible';
  const nothingSent =
    (order.nextAction === 'submit' && order.attempt === 0) ||
    order.status === 'market_available' ||
    order.mode === 'manual';
  if (confirmedBy === 'nothing_sent' && !nothingSent) return 'already_sent';
  const who = { actor: operatorActor(by), detail: by.reason };
  const done =
    order.kind === 'payin'
      ? move(draft, order, 'operator_cancelled', who, on)
      : releasePayout(draft, order, 'operator_cancelled', who, on);
  return done ? null : 'transition_impossible';
}

/** Funds that an operator saw come in. What comes late, twice, in excess or in a part that the country does not take is a case (decisions 5.5). */
export function confirmFunds(
  draft: Draft,
  order: Order,
  { amount, reference, by }: ConfirmFunds,
  on: Circumstances,
): Rejection | null {
  if (order.mode !== 'manual' || order.kind !== 'payin') return 'operation_not_available';
  const known =
    draft.payments.find((payment) => payment.reference === reference) ??
    draft.payments.find((payment) => plainReference(payment.reference) === plainReference(reference));
  if (known) return signedSum(order.currency, known.amount, `-${amount}`) === '0.00' ? null : 'booking_no_taken';
  takePayments(draft, order, { outcome: 'part_paid', payments: [{ reference, amount }] }, operatorActor(by), on);
  if (!isTerminal(order.status)) schedulePayin(order, on);
  return null;
}

/** Ends a stuck payout by evidence; two operators have to agree (decisions 5.4). */
export function resolvePayout(
  draft: Draft,
  order: Order,
  { outcome, evidence, by }: ResolvePayout,
  on: Circumstances,
): Rejection | null {
  if (order.kind !== 'payout' || order.mode !== 'upstream') return 'operation_not_available';
  if (by.approver === null || by.approver === by.actor) return 'second_operator_needed';
  const who = { actor: operatorActor(by), detail: `${by.reason}; evidence: ${evidence}`.slice(0, 500) };
  const done =
    outcome === 'paid'
      ? settleByEvidence(draft, order, who, on)
      : releasePayout(draft, order, 'channel_failed', who, on);
  return done ? null : 'transition_impossible';
}

/** Writes what an operator decided into the merchant's chain of audit records. */
export function recordDecision(draft: Draft, command: Command & { by: Decision }, now: number): void {
  const { type, by, id, ...what } = command;
  const { approvalId } = by;
  const { wallet } = draft;
  const unhashed = {
    merchantId: wallet.merchantId,
    auditNo: wallet.lastAuditNo + 1,
    actor: by.actor,
    approver: by.approver,
    action: 'change' in command ? command.change : type,
    subject: subjectOf(command, wallet.merchantId),
    reason: by.reason,
    detail: JSON.stringify({ ...what, ...named(command), ...(approvalId !== undefined && { approvalId }) }),
    at: now,
  };
  const record = { ...unhashed, hash: auditHash(wallet.lastAuditHash, unhashed), commandId: id ?? null };
  draft.added.audits.push(record);
  draft.wallet = { ...draft.wallet, lastAuditNo: record.auditNo, lastAuditHash: record.hash };
}

/** The order by its numbers alone: whatever else a caller's object holds, such as the payee, is not kept for ever. */
function named(command: Command): object {
  if (!('ref' in command)) return {};
  const { merchantId, orderNo } = command.ref;
  return { ref: { merchantId, orderNo } };
}

function subjectOf(command: Command, merchantId: string): string {
  if ('ref' in command) return command.ref.orderNo;
  if ('caseNo' in command && command.merchantId !== merchantId)
    return (command.toWallet ? null : command.orderNo) ?? `case ${command.caseNo} of ${command.merchantId}`;
  if ('caseNo' in command) return `case ${command.caseNo}`;
  if ('bookingNo' in command) return command.bookingNo;
  return 'change' in command ? command.subject : '';
}
