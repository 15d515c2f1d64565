import { type Action, type ActionValues, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { allowedAction, blockedBy, SecondOperator } from '../actions/allowed.tsx';
import { requestedOutcome } from '../approvals/requested-outcome.ts';
import { type BreakOutcome, ResolveBreakDocument } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { type BreakDetail, subjectOfBreak } from './break-detail.ts';
import { OtherBreak } from './other-break.tsx';
import { breakKindWords } from './reconciliation-words.ts';
import { effectOf, possibleOutcomes } from './resolution.ts';

const outcomeWords: Readonly<Record<BreakOutcome, string>> = {
  POSTED: 'Post it',
  LINKED: 'Link it',
  WRITTEN_OFF: 'Write it off: the platform bears it',
  CHARGED: 'Charge the merchant',
};

/**
 * Ends a break. The version that the operator saw is sent too: if a file has changed the break meanwhile, nothing is
 * done.
 */
export function resolveBreak(found: BreakDetail): Action {
  const { country, breakNo, kind, amount, version } = found;
  const outcomes = possibleOutcomes(found);
  return defineAction({
    operation: 'resolveBreak',
    document: ResolveBreakDocument,
    label: 'Resolve',
    subject: subjectOfBreak(breakNo),
    submit: (values) => requestedOutcome('resolveBreak', values, found),
    before: (values) => <WhatItDoes found={found} values={values} />,
    fields: [
      {
        name: 'outcome',
        label: 'How it ends',
        kind: 'choice',
        options: outcomes.map((outcome) => ({ value: outcome, label: outcomeWords[outcome] })),
      },
      {
        name: 'otherBreakNo',
        label: 'Break that cancels it out',
        kind: 'custom',
        isShown: ({ outcome }) => outcome === 'LINKED',
        render: (field) => <OtherBreak found={found} {...field} />,
      },
    ],
    toInput: ({ outcome, otherBreakNo = '' }) => ({
      country,
      breakNo,
      outcome: outcome as BreakOutcome,
      seenKind: kind,
      seenAmount: amount,
      ...(outcome === 'LINKED' && otherBreakNo !== '' && { otherBreakNo: Number(otherBreakNo) }),
    }),
    expectedVersion: version,
    after: () => 'The break has ended.',
    blocked: blockedBy(found.actions, 'RESOLVE_BREAK'),
  });
}

function WhatItDoes({ found, values }: { found: BreakDetail; values: ActionValues }) {
  const { kind, amount, currency, orderNo, creditedTo } = found;
  return (
    <Before
      values={{
        Break: breakKindWords[kind],
        'Statement beyond ledger': <Money amount={amount} currency={currency} />,
        ...(orderNo && { Order: <span className="mono">{orderNo}</span> }),
        ...(creditedTo && { 'Credited to': <span className="mono">{creditedTo}</span> }),
        'This does': effectOf((values.outcome || 'POSTED') as BreakOutcome, found),
        'Second operator': (
          <SecondOperator action={allowedAction(found.actions, 'RESOLVE_BREAK')} currency={currency} />
        ),
      }}
    />
  );
}
