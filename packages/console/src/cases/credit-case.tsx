import type { ReactNode } from 'react';
import { type Action, type ActionValues, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { allowedAction, blockedBy, SecondOperator } from '../actions/allowed.tsx';
import { caseKindWords, caseStateWords, isOfPayout, isPlatform } from '../format/case-words.ts';
import { compareAmounts, sumAmounts } from '../format/money.ts';
import { orderStatusWords } from '../format/words.ts';
import { CreditCaseDocument } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { AlsoCases, readAlso } from './also-cases.tsx';
import { type CaseDetail, ownTargetOf, subjectOf } from './case-detail.ts';

const OPEN: ReadonlySet<string> = new Set(['CREATED', 'PROCESSING', 'PARTIAL_PAID', 'MARKET_AVAILABLE']);

type Target = 'own' | 'order' | 'wallet';

/** Credits the money of a case, alone or together with others, to an order or to a wallet. */
export function creditCase(found: CaseDetail): Action {
  const { merchantId, caseNo, kind, actions, version, order } = found;
  const isForeign = isPlatform(merchantId);
  const own = ownTargetOf(found);
  return defineAction({
    operation: 'creditCase',
    document: CreditCaseDocument,
    label: 'Credit the money',
    subject: subjectOf(caseNo),
    before: (values) => <WhatCreditDoes found={found} values={values} />,
    fields: [
      {
        name: 'target',
        label: 'Credit it to',
        kind: 'choice',
        options: [
          ...(own === null ? [] : [{ value: 'own', label: own }]),
          ...(isOfPayout(kind)
            ? []
            : [
                { value: 'order', label: order ? 'Another order' : 'An order' },
                { value: 'wallet', label: isForeign ? 'The wallet of a merchant' : `The wallet of ${merchantId}` },
              ]),
        ],
      },
      { name: 'orderNo', label: 'Order number', placeholder: 'PI…', isShown: ({ target }) => target === 'order' },
      {
        name: 'toMerchantId',
        label: 'Merchant number',
        initial: isForeign ? '' : merchantId,
        isShown: ({ target }) => target === 'wallet' && isForeign,
      },
      {
        name: 'alsoCaseNos',
        label: 'Together with',
        kind: 'custom',
        render: (field) => <AlsoCases found={found} {...field} />,
      },
    ],
    expectedVersion: version,
    toInput: ({ target, orderNo = '', toMerchantId = '', alsoCaseNos = '' }) => ({
      merchantId,
      caseNo,
      ...(alsoCaseNos !== '' && { alsoCaseNos: readAlso(alsoCaseNos).map(({ no }) => no) }),
      ...(target === 'order' && { orderNo: orderNo.trim() }),
      ...(target === 'wallet' && { toMerchantId: toMerchantId.trim() }),
    }),
    after: () => 'The money is credited and the case is closed.',
    blocked: blockedBy(actions, 'CREDIT_CASE'),
  });
}

function WhatCreditDoes({ found, values }: { found: CaseDetail; values: ActionValues }) {
  const { kind, amount, currency, order, actions } = found;
  const target = (values.target || 'own') as Target;
  const also = readAlso(values.alsoCaseNos ?? '');
  const total = sumAmounts([amount, ...also.map((one) => one.amount)]);
  const rest = target === 'own' && order?.kind === 'PAYIN' ? difference(total, order.amount) : null;
  const fits = rest !== null && compareAmounts(rest, '0') >= 0;
  const second = allowedAction(actions, 'CREDIT_CASE');
  return (
    <Before
      values={{
        Case: caseKindWords[kind],
        'Will be credited': <Money amount={total} currency={currency} />,
        ...(target === 'own' && order && { 'Order asks for': <Money amount={order.amount} currency={currency} /> }),
        ...(rest !== null && compareAmounts(rest, '0') < 0 && { Missing: <Missing rest={rest} currency={currency} /> }),
        ...(rest !== null &&
          compareAmounts(rest, '0') > 0 && {
            'Stays in suspense': (
              <>
                <Money amount={rest} currency={currency} /> in a new case
              </>
            ),
          }),
        ...(target === 'own' && order?.kind === 'PAYIN' && whatBecomesOf(order, fits)),
        [also.length > 0 ? 'Cases will be' : 'Case will be']: <Status word={caseStateWords.CREDITED} />,
        'Second operator':
          target === 'wallet' ? (
            'Needed: no order says what the merchant is owed'
          ) : (
            <SecondOperator action={second} currency={currency} />
          ),
      }}
    />
  );
}

/** Only an order that has ended can be credited. */
function whatBecomesOf({ status }: NonNullable<CaseDetail['order']>, fits: boolean): Record<string, ReactNode> {
  const now = { 'Order is': <Status word={orderStatusWords[status]} /> };
  if (OPEN.has(status)) return { ...now, 'Not yet': 'The order has to end before money can be credited to it' };
  return fits ? { ...now, 'Will be': <Status word={orderStatusWords.COMPLETED} /> } : now;
}

function Missing({ rest, currency }: { rest: string; currency: string }) {
  return (
    <>
      <Money amount={rest.replace('-', '')} currency={currency} />: choose further cases below, or return the money
    </>
  );
}

function difference(a: string, b: string): string {
  return sumAmounts([a, `-${b}`]);
}
