import type { ReactNode } from 'react';
import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { allowedAction, blockedBy, SecondOperator } from '../actions/allowed.tsx';
import { requestedOutcome } from '../approvals/requested-outcome.ts';
import { byHandWords, caseKindWords, caseStateWords, holdsNoMoney, isOutgoing } from '../format/case-words.ts';
import {
  type Action as ActionName,
  ChargeCaseDocument,
  type RefundOutcome,
  ResolveRefundDocument,
  ReturnCaseDocument,
  type ReturnWay,
  WriteOffCaseDocument,
} from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { type CaseDetail, stillOut, subjectOf } from './case-detail.ts';
import { creditCase } from './credit-case.tsx';

/** What can be decided about a case as it is, the usual decision first. What is not possible now says why. */
export function caseDecisions(found: CaseDetail): Action[] {
  if (found.state === 'RETURNING') return [resolveRefund(found)];
  if (found.state !== 'OPEN') return [];
  const isOfPayer = allowedAction(found.actions, 'RETURN_CASE', 'BY_CHANNEL') !== null;
  return [
    ...(holdsNoMoney(found.kind) ? [] : [creditCase(found)]),
    ...(isOfPayer ? [returnCase(found, 'BY_CHANNEL', sendBackWords(found))] : []),
    returnCase(found, 'BY_HAND', { ...byHandWords[found.kind], willBe: 'RETURNED' }),
    ...(isOutgoing(found.kind) ? [chargeCase(found), writeOffCase(found)] : []),
  ];
}

/** The wallet of the merchant pays money that left and does not come back. */
function chargeCase(found: CaseDetail): Action {
  const { merchantId, caseNo, version, actions } = found;
  return defineAction({
    operation: 'chargeCase',
    document: ChargeCaseDocument,
    label: 'Charge the merchant',
    isDangerous: true,
    subject: subjectOf(caseNo),
    before: (
      <Ending found={found} means={`The wallet of ${merchantId} pays it`} action="CHARGE_CASE" willBe="CHARGED" />
    ),
    expectedVersion: version,
    toInput: () => ({ merchantId, caseNo }),
    after: () => 'The case is closed: the merchant has paid it.',
    blocked: blockedBy(actions, 'CHARGE_CASE'),
  });
}

/** The platform bears money that left and does not come back. */
function writeOffCase(found: CaseDetail): Action {
  const { merchantId, caseNo, version, actions } = found;
  return defineAction({
    operation: 'writeOffCase',
    document: WriteOffCaseDocument,
    label: 'Write it off',
    isDangerous: true,
    subject: subjectOf(caseNo),
    before: <Ending found={found} means="The platform bears it" action="WRITE_OFF_CASE" willBe="WRITTEN_OFF" />,
    expectedVersion: version,
    toInput: () => ({ merchantId, caseNo }),
    after: () => 'The case is closed: it is written off.',
    blocked: blockedBy(actions, 'WRITE_OFF_CASE'),
  });
}

/** What a decision is about. Of money that left, a part may be back already: only the rest is decided. */
function amountsOf(found: CaseDetail): Record<string, ReactNode> {
  const { amount, currency } = found;
  const rest = stillOut(found);
  if (rest === null) return { Amount: <Money amount={amount} currency={currency} /> };
  return {
    'Left by mistake': <Money amount={amount} currency={currency} />,
    'Came back already': <Money amount={found.cameBack} currency={currency} />,
    Amount: <Money amount={rest} currency={currency} />,
  };
}

interface EndingProps {
  found: CaseDetail;
  /** The meaning of the decision, in a sentence. */
  means: string;
  action: ActionName;
  willBe: keyof typeof caseStateWords;
}

function Ending({ found, means, action, willBe }: EndingProps) {
  const { kind, currency, actions } = found;
  return (
    <Before
      values={{
        Case: caseKindWords[kind],
        ...amountsOf(found),
        'This says': means,
        State: <Status word={caseStateWords.OPEN} />,
        'Will be': <Status word={caseStateWords[willBe]} />,
        'Second operator': <SecondOperator action={allowedAction(actions, action)} currency={currency} />,
      }}
    />
  );
}

interface ReturnWords {
  label: string;
  /** The meaning of the decision, in a sentence. */
  means: string;
  willBe: keyof typeof caseStateWords;
  after: string;
}

function sendBackWords({ channelId }: CaseDetail): ReturnWords {
  return {
    label: `Send back through ${channelId}`,
    means: `${channelId} sends the money back to the payer`,
    willBe: 'RETURNING',
    after: `${channelId} sends the money back. This page shows how far it has come.`,
  };
}

function returnCase(found: CaseDetail, way: ReturnWay, { label, means, willBe, after }: ReturnWords): Action {
  const { merchantId, caseNo, currency, kind, version, actions } = found;
  return defineAction({
    operation: 'returnCase',
    document: ReturnCaseDocument,
    label,
    subject: subjectOf(caseNo),
    before: (
      <Before
        values={{
          Case: caseKindWords[kind],
          ...(!holdsNoMoney(kind) && amountsOf(found)),
          'This says': means,
          State: <Status word={caseStateWords.OPEN} />,
          'Will be': <Status word={caseStateWords[willBe]} />,
          'Second operator': <SecondOperator action={allowedAction(actions, 'RETURN_CASE', way)} currency={currency} />,
        }}
      />
    ),
    expectedVersion: version,
    toInput: () => ({ merchantId, caseNo, way }),
    after: () => after,
    blocked: blockedBy(actions, 'RETURN_CASE', way),
  });
}

/** Ends a refund whose channel gives no definite answer, with the evidence of two operators. */
function resolveRefund(found: CaseDetail): Action {
  const { merchantId, caseNo, amount, currency, version, actions, refund } = found;
  return defineAction({
    operation: 'resolveRefund',
    document: ResolveRefundDocument,
    label: 'Resolve the refund',
    isDangerous: true,
    subject: subjectOf(caseNo),
    before: (
      <Before
        values={{
          Refund: <span className="mono">{refund?.refundNo}</span>,
          Amount: <Money amount={amount} currency={currency} />,
          'Last answer': refund?.lastAnswer ?? 'None',
          'Second operator': <SecondOperator action={allowedAction(actions, 'RESOLVE_REFUND')} currency={currency} />,
        }}
      />
    ),
    submit: (values) => requestedOutcome('resolveRefund', values, found),
    fields: [
      {
        name: 'outcome',
        label: 'What happened',
        kind: 'choice',
        options: [
          { value: 'REFUNDED', label: 'The payer has the money back' },
          { value: 'FAILED', label: 'Nothing was refunded' },
        ],
      },
      { name: 'evidence', label: 'Evidence', kind: 'area' },
    ],
    expectedVersion: version,
    toInput: ({ outcome, evidence = '' }) => ({
      merchantId,
      caseNo,
      refundNo: refund?.refundNo ?? '',
      outcome: outcome as RefundOutcome,
      evidence,
    }),
    after: () => 'The refund has ended.',
    blocked: blockedBy(actions, 'RESOLVE_REFUND'),
  });
}
