import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { listRoles, operationNamed } from '../actions/operation.ts';
import { unlessRequested, type Waiting } from '../approvals/waiting-approvals.tsx';
import { asSentence } from '../format/words.ts';
import {
  CloseDayDocument,
  type DayDetailQuery,
  type DayRowFragment,
  ReopenDayDocument,
} from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { describeLines } from './day-grid.tsx';
import { describeDay, showDay } from './day-look.ts';
import { SumsExplained } from './sums-explained.tsx';

/** A day as its page reads it. */
export type DayDetail = NonNullable<DayDetailQuery['reconciliationDay']>;

/** The subject of its audit records and approvals. */
export function subjectOfDay(channelId: string, day: string): string {
  return `day ${channelId} ${day}`;
}

/** Close a day that is open, reopen one that is closed. */
export function dayAction(found: DayDetail, approvals: Waiting): Action {
  const { day } = found;
  return day.state === 'CLOSED' ? reopenDay(day) : unlessRequested(closeDay(found), approvals);
}

function closeDay(found: DayDetail): Action {
  const { day } = found;
  const [problem] = found.closingProblems;
  const { country, channelId, currency } = day;
  return defineAction({
    operation: 'closeDay',
    document: CloseDayDocument,
    label: 'Close the day',
    subject: subjectOfDay(channelId, day.day),
    before: (
      <Before
        values={{
          ...whatItIs(day),
          Statements: <Money amount={day.statementNet} currency={currency} />,
          Ledger: <Money amount={day.ledgerNet} currency={currency} />,
          'Why they differ': <SumsExplained found={found} />,
          'Second operator': `Needed: another operator with the role ${listRoles(operationNamed('closeDay').roles)}`,
        }}
      />
    ),
    toInput: () => ({ country, channelId, day: day.day }),
    after: () => 'The day is closed.',
    blocked: problem === undefined ? null : asSentence(problem),
  });
}

function reopenDay(day: DayDetail['day']): Action {
  const { country, channelId, closedBy, approver } = day;
  return defineAction({
    operation: 'reopenDay',
    document: ReopenDayDocument,
    label: 'Reopen the day',
    isDangerous: true,
    subject: subjectOfDay(channelId, day.day),
    before: <Before values={{ ...whatItIs(day), 'Closed by': `${closedBy} and ${approver}` }} />,
    toInput: () => ({ country, channelId, day: day.day }),
    after: () => 'The day is open again: it can be matched and posted.',
  });
}

function whatItIs(day: DayRowFragment) {
  const { tone: _, sign, label } = describeDay(day);
  return {
    Day: `${showDay(day.day, 'dayMonthYear')}, ${day.channelId}`,
    State: `${sign} ${label}`,
    Lines: describeLines(day.lines, day.explainedLines),
  };
}
