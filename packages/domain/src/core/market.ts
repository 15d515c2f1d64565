import type { Circumstances, Draft } from './draft.ts';
import { move } from './draft.ts';
import { type Decision, operatorActor } from './operator.ts';
import type { ClaimTask, EndClaim, JudgeProof, ProveTask } from './operator-commands.ts';
import type { MarketTask, Order } from './order.ts';
import type { Rejection } from './rejection.ts';
import { settlePayout } from './settle-payout.ts';

/** What the task market's commands do to a payout (decisions 5.2: market_available, claimed, given back, proved, accepted). */
export function decideTask(
  draft: Draft,
  order: Order,
  command: ClaimTask | EndClaim | ProveTask | JudgeProof,
  on: Circumstances,
): Rejection | null {
  if (order.mode !== 'market') return 'operation_not_available';
  switch (command.type) {
    case 'claimTask':
      return claim(draft, order, command, on);
    case 'endClaim':
      return endClaim(draft, order, command, on);
    case 'proveTask':
      return prove(order, command, on);
    case 'acceptProof':
      return accept(draft, order, command, on);
    case 'rejectProof':
      return reject(order, command, on);
    default:
      return command satisfies never;
  }
}

function claim(draft: Draft, order: Order, { lease, by }: ClaimTask, on: Circumstances): Rejection | null {
  if (!move(draft, order, 'task_claimed', { actor: operatorActor(by) }, on)) return 'task_not_available';
  order.task = { claimedBy: by.actor, proof: null };
  expireAt(order, on.now + lease);
  return null;
}

function endClaim(draft: Draft, order: Order, { by }: EndClaim, on: Circumstances): Rejection | null {
  const task = claimedTask(order);
  if (!task) return 'task_not_available';
  if (by && task.claimedBy !== by.actor) return 'not_your_task';
  // Somebody says that it was paid: it cannot go to anybody else before that is judged.
  if (task.proof) return 'proof_pending';
  // A worker ends the claim that it took up as run out, not one that somebody made since.
  if (!by && (order.nextAction !== 'expire' || order.attempt === 0)) return 'not_due';
  move(
    draft,
    order,
    'claim_ended',
    by ? { actor: operatorActor(by) } : { actor: 'market', detail: 'the claim ran out' },
    on,
  );
  order.task = null;
  order.nextAction = null;
  order.nextActionAt = null;
  return null;
}

function prove(order: Order, { proof, by }: ProveTask, on: Circumstances): Rejection | null {
  const task = claimedTask(order);
  if (!task) return 'task_not_available';
  if (task.claimedBy !== by.actor) return 'not_your_task';
  if (task.proof) return 'proof_pending';
  order.task = { ...task, proof: { ...proof, at: on.now } };
  order.nextAction = null;
  order.nextActionAt = null;
  order.updatedAt = on.now;
  return null;
}

function accept(draft: Draft, order: Order, { by, provedAt }: JudgeProof, on: Circumstances): Rejection | null {
  const task = claimedTask(order);
  if (!task?.proof || !isMeant(task.proof, provedAt)) return 'proof_missing';
  if (!isJudgedByAnother(task, by)) return 'second_operator_needed';
  const detail = `paid by ${task.claimedBy}, reference ${task.proof.reference}`;
  return settlePayout(draft, order, 'proof_accepted', { actor: operatorActor(by), detail }, on)
    ? null
    : 'task_not_available';
}

function reject(order: Order, { lease, by, provedAt }: JudgeProof, on: Circumstances): Rejection | null {
  const task = claimedTask(order);
  if (!task?.proof || !isMeant(task.proof, provedAt)) return 'proof_missing';
  if (task.claimedBy === by.actor) return 'second_operator_needed';
  order.task = { ...task, proof: null };
  order.updatedAt = on.now;
  expireAt(order, on.now + lease);
  return null;
}

/** Whether it is the proof that was judged, and not another one that was brought since. */
function isMeant(proof: { at: number }, provedAt: number | undefined): boolean {
  return provedAt === undefined || proof.at === provedAt;
}

/** Whoever paid a task may ask for its proof to be accepted, but then somebody else has to agree. */
function isJudgedByAnother({ claimedBy }: MarketTask, { actor, approver }: Decision): boolean {
  return claimedBy === actor ? approver !== null && approver !== actor : approver !== claimedBy;
}

function claimedTask(order: Order): MarketTask | null {
  return order.status === 'processing' ? order.task : null;
}

function expireAt(order: Order, at: number): void {
  order.nextAction = 'expire';
  order.nextActionAt = at;
  order.attempt = 0;
}
