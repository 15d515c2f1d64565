import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { blockedByRequest, type Waiting } from '../approvals/waiting-approvals.tsx';
import {
  CloseFindingDocument,
  type FindingOutcome,
  type FindingRowFragment,
} from '../generated/documents.generated.ts';
import { Status } from '../parts/status.tsx';
import { findingStateWords } from './audit-filters.ts';

/** Closes a finding as repaired or accepted. */
export function closeFinding(finding: FindingRowFragment, approvals: Waiting): Action {
  const { merchantId, findingNo, rule, subject, detail } = finding;
  const waiting = blockedByRequest(approvals, `finding ${findingNo}`);
  return defineAction({
    operation: 'closeFinding',
    document: CloseFindingDocument,
    label: 'Close',
    subject: `finding ${findingNo}`,
    before: ({ outcome }) => (
      <Before
        values={{
          Rule: rule,
          About: <span className="mono">{subject}</span>,
          Found: detail,
          'Will be': <Status word={findingStateWords[outcome === 'ACCEPTED' ? 'ACCEPTED' : 'REPAIRED']} />,
          ...(waiting && { Waiting: waiting }),
          'Second operator': outcome === 'ACCEPTED' ? 'Needed' : 'Not needed',
        }}
      />
    ),
    fields: [
      {
        name: 'outcome',
        label: 'Close as',
        kind: 'choice',
        options: [
          { value: 'REPAIRED', label: 'Repaired: the error is fixed' },
          { value: 'ACCEPTED', label: 'Accepted: it stays as it is, for a known reason' },
        ],
      },
    ],
    toInput: ({ outcome }) => ({ merchantId, findingNo, outcome: outcome as FindingOutcome }),
    after: ({ finding }) =>
      finding
        ? `The finding is closed: ${findingStateWords[finding.state].label.toLowerCase()}.`
        : 'The finding is closed.',
  });
}
