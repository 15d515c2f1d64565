import type { Command } from '../core/commands.ts';
import type { Decision } from '../core/operator.ts';
import type { Order, OrderRef } from '../core/order.ts';
import type { Result } from '../core/rejection.ts';
import type { TimeScale } from '../core/schedule.ts';
import { commitReference, type LedgerAccess } from '../ledger/index.ts';
import { orderOf } from '../orders/index.ts';

/** How long an operator keeps a claimed task before they are asked whether they paid, in ms, before scaling. */
const claimLease = 30 * 60_000;

export type TaskAction =
  | { type: 'claimTask' }
  | { type: 'giveBackTask' }
  | { type: 'proveTask'; proof: { reference: string; payer: string; note: string | null } }
  /** `provedAt`: decide only the proof of this time (Unix ms). Default: the current one. */
  | { type: 'acceptProof' | 'rejectProof'; provedAt?: number };

/**
 * Actions on tasks of the task market of Pakistan: claim, give back, prove the payment, decide another operator's proof. Of
 * two operators who claim the same task, one gets it. Late proofs of an earlier claimant become cases. Refusals:
 * task_not_available, not_your_task, money_left, proof_pending, proof_missing, proof_reference_used (a bank's reference is for one transfer of its country), second_operator_needed.
 */
export async function workOnTask(
  domain: LedgerAccess & TimeScale,
  ref: OrderRef,
  action: TaskAction,
  by: Decision,
): Promise<Result<Order>> {
  const command = taskCommand(ref, action, by, Math.round(claimLease * domain.scheduleScale));
  const done = await commitReference(domain, command);
  return done.ok ? { ok: true, value: await orderOf(domain, ref) } : done;
}

/** The command of an action. `lease`: how long a claim lasts, in ms. */
export function taskCommand(ref: OrderRef, action: TaskAction, by: Decision, lease = claimLease): Command {
  switch (action.type) {
    case 'giveBackTask':
      return { type: 'endClaim', ref, by };
    case 'proveTask':
      return { type: 'proveTask', ref, proof: action.proof, by };
    default:
      return { ...action, ref, lease, by };
  }
}
