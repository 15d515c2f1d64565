import type { WithId } from './commands.ts';
import { onOrder } from './decide-order.ts';
import type { Deciders } from './decider.ts';
import { type Decision, isAlone, operatorActor } from './operator.ts';
import type { ClaimTask, EndClaim, JudgeProof, ProveTask } from './operator-commands.ts';
import type { MarketTask, Order } from './order.ts';
import { isOutgoing, isTypedAs } from './payment.ts';
import { bookPaidAgain } from './payout-payments.ts';
import type { Rejection } from './rejection.ts';
import { hasMoneyLeft, settleFromCases, settlePayout } from './settle-payout.ts';
import { openCasesOf } from './state.ts';
import type { Story } from './story.ts';

type TaskCommand = ClaimTask | EndClaim | ProveTask | JudgeProof;

/** A payout of the task market (decisions 5.2): its task is claimed, given back, proved, accepted or rejected. */
export const taskDeciders: Deciders<TaskCommand['type']> = {
  claimTask: onTask(claim),
  endClaim: onTask(endClaim),
  proveTask: onTask(prove),
  acceptProof: onTask(accept),
  rejectProof: onTask(reject),
};

function onTask<Command>(decide: (story: Story, command: Command) => Story | Rejection) {
  return onOrder<Command>((story, command) =>
    story.order.mode === 'market' ? decide(story, command) : 'operation_not_available',
  );
}

function claim(story: Story, { lease, by }: ClaimTask): Story | Rejection {
  // An earlier operator has paid it, or a channel: nobody pays it again.
  if (story.order.status === 'market_available' && hasMoneyLeft(story)) return 'money_left';
  const task = { claimedBy: by.actor, proof: null };
  const claimed = story.move('task_claimed', { actor: operatorActor(by) });
  return claimed?.changeOrder({ task, ...expiry(story.now + lease) }) ?? 'task_not_available';
}

/**
 * The operator says that nothing was paid, so the task is listed again. Once the claim has run out, two others may say
 * it for them.
 */
function endClaim(story: Story, command: EndClaim & WithId): Story | Rejection {
  const { by } = command;
  const task = claimedTask(story.order);
  if (!task) return 'task_not_available';
  if (!by) return askClaimant(story, task, command);
  if (task.claimedBy !== by.actor && task.askedAt === undefined) return 'not_your_task';
  // The operator says that the payout is paid. No other operator may pay it until the proof is decided.
  if (task.proof) return 'proof_pending';
  if (task.claimedBy !== by.actor && isAlone(by)) return 'second_operator_needed';
  const ended = story.move('claim_ended', { actor: operatorActor(by) });
  return ended?.changeOrder({ task: null, ...noAction }) ?? 'task_not_available';
}

/** The claim ran out. Its operator may have paid, so the task is not listed before they are asked. */
function askClaimant(story: Story, task: MarketTask, { id }: WithId): Story | Rejection {
  const { order, now } = story;
  if (task.proof) return 'proof_pending';
  // The worker ends only the expired claim whose row it has claimed (attempt > 0), not a newer one.
  if (order.nextAction !== 'expire' || order.attempt === 0) return 'not_due';
  const detail = `the claim expired: ${task.claimedBy} is asked`;
  const asked = { task: { ...task, askedAt: now }, ...noAction, attempt: 0, updatedAt: story.at };
  // Without an operator there is no audit record. So the order stores the command's id, and a retry finds its effect.
  return story.note('claimant_asked', { actor: 'market', detail }).changeOrder({ ...asked, commandId: id ?? null });
}

function prove(story: Story, command: ProveTask): Story | Rejection {
  const { proof, by } = command;
  const task = claimedTask(story.order);
  if (task?.claimedBy !== by.actor) return proveLate(story, command);
  if (task.proof) return 'proof_pending';
  if (isKnownProof(story, proof.reference)) return 'proof_reference_used';
  const proved = { claimedBy: task.claimedBy, proof: { ...proof, at: story.now } };
  return story.changeOrder({ task: proved, ...noAction, updatedAt: story.at });
}

/**
 * An operator had the task and paid it, but it is not theirs any more. If nobody else has it, it is theirs again, with
 * the proof. Otherwise what they paid becomes a case, because the payout may be paid twice. Nobody accepts such a proof
 * later, so two operators agree on it now.
 */
function proveLate(story: Story, { proof, by }: ProveTask): Story | Rejection {
  const { order, state, now } = story;
  const actor = operatorActor({ ...by, approver: null });
  if (!state.claimants.includes(actor)) return claimedTask(order) ? 'not_your_task' : 'task_not_available';
  if (isKnownProof(story, proof.reference)) return 'proof_reference_used';
  // Each operator who had the task proves one payment at most.
  if (state.payments.length >= state.claimants.length) return 'task_not_available';
  if (order.status === 'market_available' && !hasMoneyLeft(story)) {
    const task = { claimedBy: by.actor, proof: { ...proof, at: now } };
    // The task is theirs alone, also if a second operator approved the proof.
    const again = story.move('task_claimed', { actor, detail: 'paid under an earlier claim' });
    return again?.changeOrder({ task, ...noAction }) ?? 'task_not_available';
  }
  const detail = `paid by ${by.actor} from ${proof.payer} under an earlier claim, the order is ${order.status}`;
  const booked = bookPaidAgain(story, { reference: proof.reference, amount: order.amount }, detail);
  // Checked last, so that no operator is asked to approve what is impossible.
  return isAlone(by) ? 'second_operator_needed' : booked;
}

/** Whether the reference is of the task's own proof, or of a payment of the payout that is booked. */
function isKnownProof({ order, state }: Story, reference: string): boolean {
  const known = [...(order.task?.proof ? [order.task.proof] : []), ...state.payments];
  return known.some(isTypedAs(reference));
}

function accept(story: Story, { by, provedAt }: JudgeProof): Story | Rejection {
  const task = claimedTask(story.order);
  if (!task?.proof || !isCurrentProof(task.proof, provedAt)) return 'proof_missing';
  if (!isJudgedByOther(task, by)) return 'second_operator_needed';
  const detail = `paid by ${task.claimedBy}, reference ${task.proof.reference}`;
  const cause = { actor: operatorActor(by), detail };
  const isProof = isTypedAs(task.proof.reference);
  if (!story.state.payments.some(isProof)) return settlePayout(story, 'proof_accepted', cause) ?? 'task_not_available';
  // A statement or the channel has shown this payment meanwhile, so suspense bears it. If its case has ended, somebody has paid for it.
  const borne = openCasesOf(story.state, story.order).filter((one) => isOutgoing(one.kind) && isProof(one));
  if (borne.length === 0) return 'proof_reference_used';
  return settleFromCases(story, 'proof_accepted', cause, borne) ?? 'task_not_available';
}

function reject(story: Story, { lease, by, provedAt }: JudgeProof): Story | Rejection {
  const task = claimedTask(story.order);
  if (!task?.proof || !isCurrentProof(task.proof, provedAt)) return 'proof_missing';
  if (task.claimedBy === by.actor) return 'second_operator_needed';
  const unproved = { ...task, proof: null };
  return story.changeOrder({ task: unproved, ...expiry(story.now + lease), updatedAt: story.at });
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
