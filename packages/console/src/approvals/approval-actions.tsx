import { type Action, defineDecision } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import {
  type ApprovalDetailPartsFragment,
  ApproveDocument,
  RejectDocument,
  WithdrawDocument,
} from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { outcomeOf } from './approval-title.ts';
import { approvalStateWords } from './approval-words.ts';
import { TypedValue } from './typed-value.tsx';

/** Approve, reject and withdraw. What is not possible now says why. */
export function approvalActions(
  approval: ApprovalDetailPartsFragment,
): Record<'approve' | 'reject' | 'withdraw', Action> {
  const { approvalId, version: expectedVersion, mayDecide, mayWithdraw, stillPossible } = approval;
  const outcomeNow = outcomeOf(approval);
  const decidable = mayDecide.allowed ? null : (mayDecide.message ?? 'Another operator has to decide it.');
  const impossible =
    stillPossible && !stillPossible.possible ? (stillPossible.message ?? 'It can no longer be carried out.') : null;
  return {
    approve: defineDecision({
      operation: 'approve',
      document: ApproveDocument,
      label: 'Approve',
      submit: outcomeNow,
      subject: approvalId,
      before: <WhatItIs approval={approval} after="EXECUTED" />,
      toVariables: () => ({ approvalId, expectedVersion }),
      after: ({ state, outcome }) =>
        state === 'EXECUTED'
          ? `Approved and carried out. ${outcomeNow}.`
          : `Approved, but it could not be carried out: ${outcome ?? 'no reason is known'}.`,
      blocked: decidable ?? impossible,
    }),
    reject: defineDecision({
      operation: 'reject',
      document: RejectDocument,
      label: 'Reject',
      isDangerous: true,
      subject: approvalId,
      before: <WhatItIs approval={approval} after="REJECTED" />,
      toVariables: (_values, reason) => ({ approvalId, reason, expectedVersion }),
      after: () => 'Rejected. Nothing was changed.',
      blocked: decidable,
    }),
    withdraw: defineDecision({
      operation: 'withdraw',
      document: WithdrawDocument,
      label: 'Withdraw',
      subject: approvalId,
      before: <WhatItIs approval={approval} after="WITHDRAWN" />,
      toVariables: (_values, reason) => ({ approvalId, reason, expectedVersion }),
      after: () => 'Withdrawn. Nothing was changed.',
      blocked: mayWithdraw ? null : 'Only the operator who asked can withdraw it, while it waits.',
    }),
  };
}

/** Fields of requests that say how the requester knows. */
const EVIDENCE = ['evidence', 'modeEvidence', 'reference', 'detail'];

function WhatItIs({
  approval,
  after,
}: {
  approval: ApprovalDetailPartsFragment;
  after: keyof typeof approvalStateWords;
}) {
  const { title, money, subject, requestedBy, reason, state, fields } = approval;
  const evidence = fields?.filter(({ field }) => EVIDENCE.includes(field)) ?? [];
  return (
    <Before
      values={{
        Outcome: <strong>{title}</strong>,
        ...(money && { Amount: <Money amount={money.amount} currency={money.currency} /> }),
        About: subject,
        ...Object.fromEntries(evidence.map(({ label, value }) => [label, <TypedValue key={label} value={value} />])),
        'Asked by': requestedBy,
        Reason: reason,
        State: <Status word={approvalStateWords[state]} />,
        'Will be': <Status word={approvalStateWords[after]} />,
      }}
    />
  );
}
