import { describe, expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { anOrder, aWallet, noon } from '../testing/on-paper.ts';
import type { DecideCase } from './operator-commands.ts';
import type { Order } from './order.ts';
import type { MoneyCase } from './payment.ts';
import type { State } from './state.ts';

// Cases credited together (decisions 5.5): to an ended payin, to a payout whose money came back, to a wallet.

const aCase = (caseNo: number, changes: Partial<MoneyCase> = {}): MoneyCase => ({
  merchantId: 'IN-1',
  caseNo,
  kind: 'late',
  orderNo: null,
  channelId: 'fake',
  reference: `P${caseNo}`,
  amount: '100.00',
  currency: 'INR',
  state: 'open',
  detail: '',
  openedAt: noon,
  closedAt: null,
  refundNo: null,
  cameBack: '0.00',
  paymentOrderNo: null,
  batchNo: 1,
  ...changes,
});
const payin = (changes: Partial<Order> = {}): Order =>
  anOrder('IN', { status: 'timeout', failureReason: 'late', nextAction: null, nextActionAt: null, ...changes });
const payout = (changes: Partial<Order> = {}): Order =>
  anOrder('IN', { status: 'completed', nextAction: null, nextActionAt: null, ...changes }, 'payout');
const returned = (caseNo: number, changes: Partial<MoneyCase> = {}): MoneyCase =>
  aCase(caseNo, { kind: 'payout_returned', orderNo: payout().orderNo, ...changes });

function credit(
  order: Order | null,
  cases: MoneyCase[],
  more: Partial<DecideCase> = {},
  state: Partial<State> = {},
): Given {
  const [caseNo = 0, ...alsoCaseNos] = cases.map((one) => one.caseNo);
  return given(aWallet('IN'), order, { cases, ...state }).when({
    type: 'creditCase',
    merchantId: 'IN-1',
    caseNo,
    alsoCaseNos,
    orderNo: order?.orderNo ?? null,
    by: { actor: 'ann', approver: null, reason: 'checked' },
    ...more,
  });
}
const transfersOf = ({ events }: Given): string[] =>
  all(events, 'transfer').map((one) => `${one.cause}: ${one.merchantId} ${one.debit} > ${one.credit} ${one.amount}`);

describe('cases credited to a payin', () => {
  test("the payin is completed without a failure reason, and its history has the case and the operator's reason", () => {
    const credited = credit(payin(), [aCase(1)]);
    expect(credited.order).toMatchObject({ status: 'completed', paidAmount: '100.00', failureReason: null });
    expect(all(credited.events, 'transition')).toMatchObject([{ actor: 'operator:ann', detail: 'case 1: checked' }]);
    expect(all(credited.events, 'entry')).toMatchObject([{ type: 'PAYIN', remark: 'case 1' }]);
    expect(transfersOf(credited)).toEqual([
      'suspense_credited: IN-1 suspense > available 97.50',
      'payin_fee: IN-1 suspense > fee_revenue 2.50',
    ]);
  });

  test('the surplus of the last case becomes a case with the same reference', () => {
    const credited = credit(payin(), [aCase(1, { amount: '60.00' }), aCase(2, { amount: '60.00' })]);
    expect(all(credited.events, 'opened')).toMatchObject([
      { kind: 'wrong_amount', reference: 'P2', amount: '20.00', detail: 'left of case 2 over 60.00' },
    ]);
    expect(all(credited.events, 'entry')).toMatchObject([{ remark: 'cases 1, 2' }]);
  });

  test('the surplus stays with the order of the payer who sent it', () => {
    const parts = aCase(1, { amount: '60.00', orderNo: payin().orderNo });
    const late = aCase(2, { amount: '90.00', orderNo: 'PI0LATE', paymentOrderNo: 'PI0LATE' });
    expect(all(credit(payin(), [parts, late]).events, 'opened')).toMatchObject([
      { amount: '50.00', orderNo: 'PI0LATE', reference: 'P2', paymentOrderNo: 'PI0LATE' },
    ]);
    const own = aCase(1, { amount: '120.00', orderNo: payin().orderNo });
    expect(all(credit(payin(), [own]).events, 'opened')).toMatchObject([{ amount: '20.00', orderNo: payin().orderNo }]);
  });

  test.each<[string, Order, MoneyCase[]]>([
    ['an order that is still open', payin({ status: 'processing' }), [aCase(1)]],
    ['the money of a payout', payin(), [returned(1)]],
    ['the money of a payout among others', payin(), [aCase(1, { amount: '60.00' }), returned(2, { amount: '60.00' })]],
    ['less than the order', payin(), [aCase(1, { amount: '99.99' })]],
    ['a case that is not needed', payin(), [aCase(1), aCase(2, { amount: '20.00' })]],
    ['a contradiction', payin(), [aCase(1, { kind: 'contradiction' })]],
    ['a contradiction among others', payin(), [aCase(1), aCase(2, { kind: 'contradiction' })]],
    ['money that went out', payin(), [aCase(1, { kind: 'payout_paid_again' })]],
  ])('not with %s', (_, order, cases) => {
    credit(order, cases).gives('case_not_creditable');
  });
});

describe('cases credited to a payout', () => {
  test.each([
    ['at most the amount of the payout is credited', '110.00', '100.00', '10.00'],
    ['the whole amount', '100.00', '100.00', null],
    ['a part of the amount', '40.00', '40.00', null],
  ])('%s', (_, amount, expected, rest) => {
    const credited = credit(payout(), [returned(1, { amount })]);
    expect(transfersOf(credited)).toEqual([`payout_return: IN-1 suspense > available ${expected}`]);
    expect(all(credited.events, 'entry')).toMatchObject([{ type: 'PAYOUT_RETURN', remark: 'case 1' }]);
    expect(all(credited.events, 'opened').map((one) => [one.kind, one.amount])).toEqual(
      rest === null ? [] : [['payout_returned', rest]],
    );
  });

  test('two cases are credited together, and only a part of the second one is needed', () => {
    const credited = credit(payout(), [returned(1, { amount: '60.00' }), returned(2, { amount: '60.00' })]);
    expect(all(credited.events, 'opened')).toMatchObject([{ reference: 'P2', amount: '20.00' }]);
  });

  test.each<[string, Order, MoneyCase[]]>([
    ['money of another order', payout(), [returned(1, { orderNo: 'PO9' })]],
    [
      'money of another order among its own',
      payout(),
      [returned(1, { amount: '60.00' }), returned(2, { orderNo: 'PO9' })],
    ],
    ['money that came in', payout(), [aCase(1, { orderNo: payout().orderNo })]],
    ['a case that is not needed', payout(), [returned(1), returned(2, { amount: '20.00' })]],
    ['an order that failed, whose money was released', payout({ status: 'failed' }), [returned(1)]],
  ])('not with %s', (_, order, cases) => {
    credit(order, cases).gives('case_not_creditable');
  });
});

describe('cases credited to the wallet', () => {
  const toWallet = { toWallet: true };

  test('a case with an order and a case without an order can be credited', () => {
    expect(transfersOf(credit(payout(), [returned(1)], toWallet))).toEqual([
      'payout_return: IN-1 suspense > available 100.00',
    ]);
    expect(credit(null, [aCase(1)], toWallet).refusal).toBeNull();
  });

  test.each<[string, Order | null, MoneyCase[]]>([
    ['money returned for another payout', payout(), [returned(1, { orderNo: 'PO9' })]],
    ['money returned for a payout that the command does not name', null, [returned(1)]],
    ['money returned for a payout that failed', payout({ status: 'failed' }), [returned(1)]],
    ['money returned for such a payout among other cases', null, [aCase(1), returned(2)]],
  ])('refused: %s', (_, order, cases) => {
    credit(order, cases, toWallet).gives('case_not_creditable');
  });
});

describe('cases of the platform', () => {
  const platform = 'PLATFORM-IN';
  const ofPlatform = (
    order: Order | null,
    cases: MoneyCase[],
    more: Partial<DecideCase> = {},
    state: Partial<State> = {},
  ): Given => {
    const [caseNo = 0, ...alsoCaseNos] = cases.map((one) => one.caseNo);
    const wallet = aWallet('IN', { merchantId: platform });
    return given(wallet, order, { cases, otherWallet: aWallet('IN'), ...state }).when({
      type: 'creditCase',
      merchantId: platform,
      caseNo,
      alsoCaseNos,
      orderNo: order?.orderNo ?? null,
      toMerchantId: 'IN-1',
      by: { actor: 'ann', approver: null, reason: 'checked' },
      ...more,
    });
  };
  const unmatched = (caseNo: number, changes: Partial<MoneyCase> = {}) =>
    aCase(caseNo, { merchantId: platform, kind: 'unmatched', ...changes });

  test('a case is credited through the channel account to the wallet of a merchant, without a payment of an order', () => {
    const credited = ofPlatform(null, [unmatched(1)], { toWallet: true });
    expect(transfersOf(credited)).toEqual([
      'suspense_out: PLATFORM-IN suspense > channel:fake 100.00',
      'suspense_in: IN-1 channel:fake > suspense 100.00',
      'suspense_credited: IN-1 suspense > available 100.00',
    ]);
    expect(all(credited.events, 'payment')).toEqual([]);
  });

  test('two payments with one reference are two payments of the order, the second without it', () => {
    const cases = [
      unmatched(1, { amount: '50.00', reference: 'P' }),
      unmatched(2, { amount: '50.00', reference: 'P' }),
    ];
    const references = (given: Given) => all(given.events, 'payment').map(({ reference }) => reference);
    expect(references(ofPlatform(payin(), cases))).toEqual(['P', null]);
    expect(references(ofPlatform(payin(), [unmatched(1, { reference: null })]))).toEqual([null]);
  });

  test('cases are not credited to an order for which one of them was reported as well', () => {
    const known = { merchantId: 'IN-1', orderNo: payin().orderNo, channelId: 'fake', amount: '50.00', use: 'suspense' };
    const payments = [{ ...known, seq: 1, direction: 'in', reference: 'P2', receivedAt: noon, batchNo: 1 } as never];
    const cases = [unmatched(1, { amount: '50.00' }), unmatched(2, { amount: '50.00' })];
    ofPlatform(payin(), cases, {}, { payments }).gives('case_not_creditable');
    const others = [{ ...known, seq: 1, direction: 'in', reference: 'P9', receivedAt: noon, batchNo: 1 } as never];
    expect(ofPlatform(payin(), cases, {}, { payments: others }).refusal).toBeNull();
  });

  test('a case of that number of another merchant is not found', () => {
    ofPlatform(payin(), [aCase(1)]).gives('case_not_found');
  });
});

describe('money that comes back after its case ended', () => {
  const left = (caseNo: number, state: 'charged' | 'written_off', amount = '100.00') =>
    aCase(caseNo, { kind: 'payout_paid_again', orderNo: payout().orderNo, state, amount, closedAt: noon });

  test.each<[string, Order]>([
    ['a failed payout', payout({ status: 'failed' })],
    ['a completed payout', payout()],
  ])('of %s it goes to the merchant that was charged, in parts, and no more than the charge', (_, order) => {
    const first = credit(order, [left(1, 'charged'), returned(2, { amount: '60.00' })], { caseNo: 2, alsoCaseNos: [] });
    expect(transfersOf(first)).toEqual(['adjustment: IN-1 suspense > available 60.00']);
    expect(first.state.cases).toMatchObject([
      { caseNo: 1, state: 'charged', cameBack: '60.00' },
      { state: 'credited' },
    ]);
    const both = credit(order, [left(1, 'charged', '60.00'), returned(2, { amount: '60.00' }), returned(3)], {
      caseNo: 2,
      alsoCaseNos: [3],
    });
    const given = order.status === 'completed' ? ['adjustment', 'payout_return'] : [];
    expect(transfersOf(both).map((text) => text.split(':')[0])).toEqual(given);
  });

  test('it takes a write-off back, and the rest stays a case', () => {
    const done = credit(payout({ status: 'failed' }), [left(1, 'written_off', '70.00'), returned(2)], {
      caseNo: 2,
      alsoCaseNos: [],
    });
    expect(transfersOf(done)).toEqual(['reconciliation: IN-1 suspense > written_off:fake 70.00']);
    expect(done.state.cases.at(-1)).toMatchObject({ kind: 'payout_returned', amount: '30.00', state: 'open' });
  });
});
