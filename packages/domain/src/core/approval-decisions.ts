import { type Approval, problemOfApproval } from './approval.ts';
import type { Deciders } from './decider.ts';
import type { CloseApproval, RequestApproval } from './operator-commands.ts';
import type { Rejection } from './rejection.ts';
import type { Story } from './story.ts';

/** The request for a second operator, and its end without effect. Its execution is the operation's own command. */
export const approvalDeciders: Deciders<RequestApproval['type'] | CloseApproval['type']> = {
  requestApproval,
  rejectApproval: closeApproval,
  withdrawApproval: closeApproval,
  failApproval: closeApproval,
};

function requestApproval(story: Story, command: RequestApproval): Story | Rejection {
  if (story.state.waiting) return 'approval_waits';
  const { approvalId, merchantId, operation, subject, alsoSubjects, input, lifetime, by, secrets } = command;
  const approval: Approval = {
    approvalId,
    merchantId,
    operation,
    subject,
    alsoSubjects,
    input,
    requestedBy: by.actor,
    reason: by.reason,
    requestedAt: story.now,
    expiresAt: story.now + lifetime,
    state: 'pending',
    decidedBy: null,
    decidedAt: null,
    outcome: null,
    expectedVersion: by.expectedVersion ?? null,
    effect: command.effect,
    effectNow: null,
  };
  return story.add({ type: 'approval requested', approval, secrets });
}

const endedBy = { rejectApproval: 'rejected', withdrawApproval: 'withdrawn', failApproval: 'failed' } as const;

/** Closes an approval without effect. A failed one was approved before. */
function closeApproval(story: Story, command: CloseApproval): Story | Rejection {
  const { type, outcome, effectNow = null, by } = command;
  const { approval } = story.state;
  const problem = problemOfApproval(approval, story.now);
  if (problem || !approval) return problem ?? 'approval_decided';
  const decision = { decidedBy: by.approver ?? by.actor, decidedAt: story.now, outcome, effectNow };
  return story.add({ type: 'approval decided', approval: { ...approval, ...decision, state: endedBy[type] } });
}
