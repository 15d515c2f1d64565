import type { Command } from '../core/commands.ts';
import type { Decision } from '../core/operator.ts';
import type { Order, OrderRef } from '../core/order.ts';
import type { Result } from '../core/rejection.ts';
import type { TimeScale } from '../core/schedule.ts';
import { commitReference, type LedgerAccess } from '../ledger/index.ts';
import { orderOf } from '../orders/index.ts';

/** How long an operator has a claimed task before it goes back to the market, in ms, before scaling. */
const claimLease = 30 * 60_000;

export type TaskAction =
  | { type: 'claimTask' }
  | { type: 'giveBackTask' }
  | { type: 'proveTask'; proof: { reference: string; payer: string; note: string | null } }
  /** `provedAt`: only the proof that was brought then (Unix ms); left out: whichever there is. */
  | { type: 'acceptProof' | 'rejectProof'; provedAt?: number };

/**
 * The task market of PK payouts: claim, give back, prove how it was paid, and judge somebody else's proof. Of two operators who want the
 * same at once one gets it. Refusals: task_not_available, not_your_task, proof_pending, proof_missing,
 * proof_reference_used (a bank's reference stands for one transfer of its country), second_operator_needed.
 */
export async function workOnTask(
  domain: LedgerAccess & TimeScale,
  ref: OrderRef,
  action: TaskAction,
  by: Decision,
): Promise<Result<Order>> {
  const command = commandOf(ref, action, Math.round(claimLease * domain.scheduleScale), by);
  const done = await commitReference(domain, command);
  return done.ok ? { ok: true, value: await orderOf(domain, ref) } : done;
}

function commandOf(ref: OrderRef, action: TaskAction, lease: number, by: Decision): Command {
  switch (action.type) {
    case 'giveBackTask':
      return { type: 'endClaim', ref, by };
    case 'proveTask':
      return { type: 'proveTask', ref, proof: action.proof, by };
    default:
      return { ...action, ref, lease, by };
  }
}
