import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { allowedAction, blockedBy, SecondOperator } from '../actions/allowed.tsx';
import {
  type RefundOutcome,
  ResolveRefundDocument,
  ReturnCaseDocument,
  type ReturnWay,
} from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { type CaseDetail, subjectOf } from './case-detail.ts';
import { caseKindWords, caseStateWords, holdsNoMoney, returnMeanings } from './case-words.ts';
import { creditCase } from './credit-case.tsx';

/** What can be decided about a case as it is, the usual decision first. What is not possible now says why. */
export function caseDecisions(found: CaseDetail): Action[] {
  if (found.state === 'RETURNING') return [resolveRefund(found)];
  if (found.state !== 'OPEN') return [];
  const isOfPayer = allowedAction(found.actions, 'RETURN_CASE', 'BY_CHANNEL') !== null;
  return [
    ...(holdsNoMoney(found.kind) ? [] : [creditCase(found)]),
    ...(isOfPayer ? [returnCase(found, 'BY_CHANNEL', sendBackWords(found))] : []),
    returnCase(found, 'BY_HAND', byHandWords(found, isOfPayer)),
  ];
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

function byHandWords({ kind }: CaseDetail, isOfPayer: boolean): ReturnWords {
  const isOnlyClosed = holdsNoMoney(kind);
  return {
    label: isOnlyClosed ? 'Close the case' : isOfPayer ? 'Returned by hand' : 'Return the money',
    means: returnMeanings[kind],
    willBe: 'RETURNED',
    after: isOnlyClosed ? 'The case is closed.' : 'The case is closed: the money is returned.',
  };
}

function returnCase(found: CaseDetail, way: ReturnWay, { label, means, willBe, after }: ReturnWords): Action {
  const { merchantId, caseNo, amount, currency, kind, version, actions } = found;
  return defineAction({
    operation: 'returnCase',
    document: ReturnCaseDocument,
    label,
    subject: subjectOf(caseNo),
    before: (
      <Before
        values={{
          Case: caseKindWords[kind],
          ...(!holdsNoMoney(kind) && { Amount: <Money amount={amount} currency={currency} /> }),
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
