import { executedApproval, problemOfApproval } from './approval.ts';
import { approvalDeciders } from './approval-decisions.ts';
import { walletDeciders } from './book-wallet.ts';
import { caseDeciders } from './case.ts';
import { type Command, namedApproval } from './commands.ts';
import { countTowardsLimit } from './daily-limit.ts';
import { orderDeciders } from './decide-order.ts';
import type { Deciders } from './decider.ts';
import { effectOf, problemOfEffect } from './effect.ts';
import type { LedgerEvent } from './events.ts';
import { taskDeciders } from './market.ts';
import { recordDecision } from './operator-decisions.ts';
import { isStopped } from './payout-stop.ts';
import { refundDeciders } from './refund-decisions.ts';
import type { Rejection } from './rejection.ts';
import { settlementDeciders } from './settlement-decisions.ts';
import type { Context, State } from './state.ts';
import { Story } from './story.ts';
import { isOutdated } from './version.ts';

/** The events of a command, and the state after them: `events.reduce(evolve, state)`. */
export interface Decided {
  readonly events: readonly LedgerEvent[];
  readonly state: State;
}

/**
 * Decides one command: returns its events, or the rejection. A command may come twice, because an answer can get lost
 * after the commit; the second time has no further effect. An operator's decision leaves an audit record.
 */
export function decide(state: State, command: Command, context: Context): Rejection | Decided {
  const unapproved = namedApproval(command) && problemOfApproval(state.approval, context.now);
  if (unapproved) return unapproved;
  if (isOutdated(state, command)) return 'version_outdated';
  if (isStopped(state, command)) return 'payouts_stopped';
  const started = Story.begin(state, command, context);
  const decided = deciderOf(command)(started, command);
  if (typeof decided === 'string') return decided;
  const limited = countTowardsLimit(recordDecisions(decided, command, state), command, state);
  if (typeof limited === 'string') return limited;
  // A change of configuration may contain further commands. Its caller compares all of them together.
  const compared = namedApproval(command) !== null && command.type !== 'recordChange';
  return (compared ? problemOfEffect(state.approval, effectOf(limited)) : null) ?? limited;
}

/** Every command, by the aggregate that decides it. */
const deciders: Deciders<Command['type']> = {
  ...orderDeciders,
  ...taskDeciders,
  ...walletDeciders,
  ...caseDeciders,
  ...refundDeciders,
  ...settlementDeciders,
  ...approvalDeciders,
};

const deciderOf = ({ type }: Command) => deciders[type] as (story: Story, command: Command) => Story | Rejection;

/**
 * Records an operator's decision at each merchant concerned, and consumes the approval that it
 * needed.
 */
function recordDecisions(story: Story, command: Command, { existing, approval }: State): Story {
  if (!('by' in command) || command.by === null) return story;
  const { by } = command;
  const { wallet, otherWallet } = story.state;
  const isApproved = namedApproval(command) !== null;
  const own = !existing || isApproved ? recordDecision(story, { ...command, by }, wallet) : story;
  const both = otherWallet ? recordDecision(own, { ...command, by }, otherWallet) : own;
  if (!isApproved || !approval) return both;
  return both.add({ type: 'approval decided', approval: executedApproval(approval, by, story.now) });
}
