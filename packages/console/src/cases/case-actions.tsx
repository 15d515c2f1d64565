import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { ReturnCaseDocument } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { type CaseDetail, problemOf, subjectOf } from './case-detail.ts';
import { caseKindWords, caseStateWords, returnMeanings } from './case-words.ts';
import { creditCase } from './credit-case.tsx';

/** What can be done with a case. What is not possible now says why. */
export function caseActions(found: CaseDetail): Action[] {
  return [creditCase(found), returnCase(found)];
}

function returnCase(found: CaseDetail): Action {
  const { merchantId, caseNo, amount, currency, kind } = found;
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
        }}
      />
    ),
    toInput: () => ({ merchantId, caseNo }),
    after: () => (isContradiction ? 'The case is closed.' : 'The case is closed: the money is returned.'),
    blocked: problemOf(found),
  });
}
