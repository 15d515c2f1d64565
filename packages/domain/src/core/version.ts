import { createHash } from 'node:crypto';
import type { Approval } from './approval.ts';
import type { Command } from './commands.ts';
import type { Notification } from './notification.ts';
import type { Order } from './order.ts';
import type { MoneyCase } from './payment.ts';
import type { State } from './state.ts';

// The version of a row is computed from the fields on which operators decide. Polls and attempts do not change it.

/** The version of an order: status, money, channel, task, and the time of its last change. */
export function versionOfOrder({ status, paidAmount, channelId, task, contradiction, updatedAt }: Order): string {
  return digest([status, paidAmount, channelId, taskOf(task), contradiction, updatedAt]);
}

/** The version of a case: open, reserved for which refund, or how and when it was decided, and what came back. */
export function versionOfCase({ state, closedAt, refundNo, cameBack }: MoneyCase): string {
  return digest([state, closedAt, refundNo, cameBack]);
}

/** The fields of a break from which its version is computed. */
export interface BreakSeen {
  kind: string;
  state: string;
  amount: string;
  decidedAt: number | null;
  /** The expectation that it is about: whose transfers, and the number of the first. */
  ownerId: string | null;
  transferNo: number | null;
}

/** The version of a break: its kind, its amount, its transfer, and whether it is decided. */
export function versionOfBreak({ kind, state, amount, decidedAt, ownerId, transferNo }: BreakSeen): string {
  return digest([kind, state, amount, decidedAt, ownerId, transferNo]);
}

/** The version of the reconciliation settings of a channel. It contains all of them. */
export function versionOfReconciliation({
  beginsOn,
  tolerance,
  account,
  fetches,
}: {
  beginsOn: string;
  tolerance: string;
  account: string | null;
  fetches: boolean;
}): string {
  return digest([beginsOn, tolerance, account, fetches]);
}

/** The version of an approval: its state. */
export function versionOfApproval({ state, decidedAt }: Approval): string {
  return digest([state, decidedAt]);
}

/** The version of a notification: its state and its round of attempts. */
export function versionOfNotification({
  state,
  isRepeat,
  earlierAttempts,
}: Pick<Notification, 'state' | 'isRepeat' | 'earlierAttempts'>): string {
  return digest([state, isRepeat, earlierAttempts]);
}

/** Whether the operator saw another version of the row that the command decides. */
export function isOutdated(state: State, command: Command): boolean {
  const expected = 'by' in command ? command.by?.expectedVersion : undefined;
  if (expected === undefined) return false;
  const current = versionOfSubject(state, command);
  return current !== null && current !== expected;
}

/** The version of the row that the command decides; null if it decides about no row. */
function versionOfSubject({ order, cases }: State, command: Command): string | null {
  if ('ref' in command) return order && versionOfOrder(order);
  if (!('caseNo' in command)) return null;
  const found = cases.find((one) => one.merchantId === command.merchantId && one.caseNo === command.caseNo);
  return found ? versionOfCase(found) : null;
}

/** In one order, whatever the order of the row's own fields. */
function taskOf(task: Order['task']): unknown {
  const asked = task?.askedAt === undefined ? [] : [task.askedAt];
  return task && [task.claimedBy, task.proof && [task.proof.reference, task.proof.at], ...asked];
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}
