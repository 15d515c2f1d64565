import type { WithId } from './commands.ts';
import { type Decision, operatorActor } from './operator.ts';
import type { ClaimTask, EndClaim, JudgeProof, ProveTask } from './operator-commands.ts';
import type { MarketTask, Order } from './order.ts';
import type { Rejection } from './rejection.ts';
import { settlePayout } from './settle-payout.ts';
import type { Story } from './story.ts';

/**
 * The effect of the task market's commands on a payout (decisions 5.2): a task is claimed, given back, proved, accepted
 * or rejected.
 */
export function decideTask(story: Story, command: ClaimTask | EndClaim | ProveTask | JudgeProof): Story | Rejection {
  if (story.order.mode !== 'market') return 'operation_not_available';
  switch (command.type) {
    case 'claimTask':
      return claim(story, command);
    case 'endClaim':
      return endClaim(story, command);
    case 'proveTask':
      return prove(story, command);
    case 'acceptProof':
      return accept(story, command);
    case 'rejectProof':
      return reject(story, command);
    default:
      return command satisfies never;
  }
}

function claim(story: Story, { lease, by }: ClaimTask): Story | Rejection {
  const task = { claimedBy: by.actor, proof: null };
  const claimed = story.move('task_claimed', { actor: operatorActor(by) });
  return claimed?.changeOrder({ task, ...expiry(story.now + lease) }) ?? 'task_not_available';
}

function endClaim(story: Story, { by, id }: EndClaim & WithId): Story | Rejection {
  const { order } = story;
  const task = claimedTask(order);
  if (!task) return 'task_not_available';
  if (by && task.claimedBy !== by.actor) return 'not_your_task';
  // The operator says that the payout is paid. No other operator may pay it until the proof is decided.
  if (task.proof) return 'proof_pending';
  // The worker ends only the expired claim whose row it has claimed (attempt > 0), not a newer one.
  if (!by && (order.nextAction !== 'expire' || order.attempt === 0)) return 'not_due';
  const cause = by ? { actor: operatorActor(by) } : { actor: 'market', detail: 'the claim expired' };
  const ended = (story.move('claim_ended', cause) ?? story).changeOrder({ task: null, ...noAction });
  // Without an operator there is no audit record. So the order stores the command's id, and a retry finds its effect.
  return by ? ended : ended.changeOrder({ commandId: id ?? null });
}

function prove(story: Story, { proof, by }: ProveTask): Story | Rejection {
  const task = claimedTask(story.order);
  if (!task) return 'task_not_available';
  if (task.claimedBy !== by.actor) return 'not_your_task';
  if (task.proof) return 'proof_pending';
  const proved = { ...task, proof: { ...proof, at: story.now } };
  return story.changeOrder({ task: proved, ...noAction, updatedAt: story.now });
}

function accept(story: Story, { by, provedAt }: JudgeProof): Story | Rejection {
  const task = claimedTask(story.order);
  if (!task?.proof || !isCurrentProof(task.proof, provedAt)) return 'proof_missing';
  if (!isJudgedByOther(task, by)) return 'second_operator_needed';
  const detail = `paid by ${task.claimedBy}, reference ${task.proof.reference}`;
  return settlePayout(story, 'proof_accepted', { actor: operatorActor(by), detail }) ?? 'task_not_available';
}

function reject(story: Story, { lease, by, provedAt }: JudgeProof): Story | Rejection {
  const task = claimedTask(story.order);
  if (!task?.proof || !isCurrentProof(task.proof, provedAt)) return 'proof_missing';
  if (task.claimedBy === by.actor) return 'second_operator_needed';
  const unproved = { ...task, proof: null };
  return story.changeOrder({ task: unproved, ...expiry(story.now + lease), updatedAt: story.now });
}

/** Whether the decided proof is still the current one. */
function isCurrentProof(proof: { at: number }, provedAt: number | undefined): boolean {
  return provedAt === undefined || proof.at === provedAt;
}

/**
 * Whether two different people paid and decided. If the payer requests it, another operator must approve. The payer is
 * never the approver.
 */
function isJudgedByOther({ claimedBy }: MarketTask, { actor, approver }: Decision): boolean {
  return claimedBy === actor ? approver !== null && approver !== actor : approver !== claimedBy;
}

function claimedTask(order: Order): MarketTask | null {
  return order.status === 'processing' ? order.task : null;
}

const noAction = { nextAction: null, nextActionAt: null };

function expiry(at: number) {
  return { nextAction: 'expire', nextActionAt: at, attempt: 0 } as const;
}
