import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { allowedAction, blockedBy, SecondOperator } from '../actions/allowed.tsx';
import { ReturnCaseDocument } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { assignWork } from '../work/assign-work.tsx';
import { type CaseDetail, subjectOf } from './case-detail.ts';
import { caseKindWords, caseStateWords, returnMeanings } from './case-words.ts';
import { creditCase } from './credit-case.tsx';

/** What can be done with a case. What is not possible now says why. */
export function caseActions(found: CaseDetail): Action[] {
  return [creditCase(found), returnCase(found), assignWork(found, subjectOf(found.caseNo))];
}

function returnCase(found: CaseDetail): Action {
  const { merchantId, caseNo, amount, currency, kind, version, actions } = found;
  const isContradiction = kind === 'CONTRADICTION';
  return defineAction({
    operation: 'returnCase',
    document: ReturnCaseDocument,
    label: isContradiction ? 'Close the case' : 'Return the money',
    subject: subjectOf(caseNo),
    before: (
      <Before
        values={{
          Case: caseKindWords[kind],
          ...(!isContradiction && { Amount: <Money amount={amount} currency={currency} /> }),
          'This says': returnMeanings[kind],
          State: <Status word={caseStateWords.OPEN} />,
          'Will be': <Status word={caseStateWords.RETURNED} />,
          'Second operator': <SecondOperator action={allowedAction(actions, 'RETURN_CASE')} currency={currency} />,
        }}
      />
    ),
    expectedVersion: version,
    toInput: () => ({ merchantId, caseNo }),
    after: () => (isContradiction ? 'The case is closed.' : 'The case is closed: the money is returned.'),
    blocked: blockedBy(actions, 'RETURN_CASE'),
  });
}
