import { expect, test } from 'vitest';
import type { BookWallet, Command } from '../core/commands.ts';
import type { OperatorDay } from '../core/operator.ts';
import type { MoneyCase } from '../core/payment.ts';
import { orderRules } from '../countries/index.ts';
import { aNewOrder, aWallet, noon } from '../testing/on-paper.ts';
import { type BatchOutcome, decideAll } from './decide-batch.ts';
import type { Loaded } from './records/index.ts';
import { dayKey } from './records/operator-day.ts';

// Commands of one batch, each decided on the result of the previous ones.

function loaded(days: readonly OperatorDay[] = []): Loaded {
  return {
    now: noon,
    wallets: new Map([['TH-1', aWallet('TH')]]),
    orders: new Map(),
    payments: new Map(),
    transitions: new Map(),
    entries: new Map(),
    cases: new Map(),
    refunds: new Map(),
    settlements: new Map(),
    approvals: new Map(),
    audits: new Map(),
    days: new Map(days.map((day) => [dayKey(day.operatorId, day.currency), day])),
    stops: new Map(),
  };
}

const decideOn = (before: Loaded, ...commands: Command[]): BatchOutcome =>
  decideAll(before, commands, { scheduleScale: 1, rules: orderRules }, { skipHeld: false, lockMs: 1 });

const alone = { actor: 'ann', approver: null, reason: 'a test', dailyLimit: '100.00' };
const booking = (bookingNo: string, amount: string): BookWallet => ({
  type: 'bookWallet',
  merchantId: 'TH-1',
  entry: 'ADJUSTMENT',
  amount,
  bookingNo,
  remark: 'r',
  by: alone,
});

test('the movements of an operator are summed per day and currency over the commands of a batch', () => {
  const day = { operatorId: 'ann', day: '2026-01-15', currency: 'THB', amount: '60.00' };
  const others = [
    { ...day, operatorId: 'bob', amount: '99.00' },
    { ...day, currency: 'INR', amount: '98.00' },
  ];
  const before = loaded([...others, day]);
  const { results, written } = decideOn(
    before,
    booking('B-1', '30.00'),
    booking('B-2', '10.01'),
    booking('B-3', '10.00'),
  );
  expect(results.map((result) => (result?.ok ? 'ok' : result?.rejection))).toEqual([
    'ok',
    'second_operator_needed',
    'ok',
  ]);
  expect(written.days.map(({ amount }) => amount)).toEqual(['99.00', '98.00', '100.00']);
  expect(before).toEqual(loaded([...others, day]));
  expect(() => decideOn(loaded(others), booking('B-1', '1.00'))).toThrow('the day of ann in THB was not loaded');
});

test("the order in a command's answer is not changed by later commands", () => {
  const order = aNewOrder('TH');
  const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
  const { results, written } = decideOn(
    loaded(),
    { type: 'createPayin', order, submitAfter: 0, expiresIn: 1_800_000 },
    { type: 'cancelOrder', ref, confirmedBy: 'channel', by: { ...alone, rehearsal: true } },
    { type: 'claimWork', ref, action: 'submit', lease: 25_000 },
    { type: 'applyReport', ref, channelId: 'fake', answer: { outcome: 'accepted' }, during: 'create' },
  );
  const statuses = results.map((result) => result?.ok && [result.order?.status, result.order?.attempt]);
  expect(statuses).toEqual([
    ['created', 0],
    ['created', 0],
    ['created', 1],
    ['processing', 0],
  ]);
  expect(written.newOrders).toMatchObject([{ status: 'processing', nextAction: 'poll' }]);
  expect(written.changedOrders).toEqual([]);
});

test('a case that one command of a batch opens can be decided by the next command', () => {
  const order = aNewOrder('TH');
  const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
  const payments = [{ reference: 'P1', amount: '99.00' }];
  const { rows, results } = decideOn(
    loaded([{ operatorId: 'ann', day: '2026-01-15', currency: 'THB', amount: '0.00' }]),
    { type: 'createPayin', order, submitAfter: 0, expiresIn: 1_800_000 },
    { type: 'applyReport', ref, channelId: 'fake', answer: { outcome: 'paid', payments }, during: 'callback' },
    { type: 'returnCase', merchantId: 'TH-1', caseNo: 1, orderNo: order.orderNo, by: alone },
  );
  expect(results.every((result) => result?.ok)).toBe(true);
  expect(rows.cases.added).toMatchObject([{ caseNo: 1, state: 'open' }]);
  expect(rows.cases.changed).toMatchObject([{ caseNo: 1, state: 'returned', closedAt: noon }]);
});

test('a case that is reserved and freed in one batch is written once, in its final state', () => {
  const order = aNewOrder('TH');
  const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
  const payments = [{ reference: 'P1', amount: '99.00' }];
  const refund = { merchantId: 'TH-1', caseNo: 1, refundNo: 'RF1' };
  const decision = { merchantId: 'TH-1', caseNo: 1, orderNo: order.orderNo, by: { ...alone, dailyLimit: '500.00' } };
  const { rows, results } = decideOn(
    loaded([{ operatorId: 'ann', day: '2026-01-15', currency: 'THB', amount: '0.00' }]),
    { type: 'createPayin', order, submitAfter: 0, expiresIn: 1_800_000 },
    { type: 'applyReport', ref, channelId: 'fake', answer: { outcome: 'paid', payments }, during: 'callback' },
    { type: 'returnCase', ...decision, refundNo: 'RF1' },
    { type: 'claimRefund', ...refund, action: 'send', attempt: 0, lease: 1 },
    { type: 'applyRefund', ...refund, answer: { outcome: 'refused', reason: 'no' }, during: 'send' },
    { type: 'returnCase', ...decision },
  );
  expect(results.map((result) => result?.ok)).toEqual([true, true, true, true, true, true]);
  expect(rows.cases.changed).toMatchObject([{ caseNo: 1, state: 'returned', refundNo: null }]);
  expect(rows.refunds.added).toMatchObject([{ refundNo: 'RF1', state: 'requested' }]);
  expect(rows.refunds.changed).toMatchObject([{ refundNo: 'RF1', state: 'failed', attempt: 1 }]);
});

test('a case that was repaid in part is decided on what is still out, within a batch too', () => {
  const merchantId = 'PLATFORM-TH';
  const aCase = (caseNo: number, kind: MoneyCase['kind'], amount: string): MoneyCase => ({
    merchantId,
    caseNo,
    kind,
    state: 'open',
    orderNo: null,
    channelId: 'fake',
    reference: `R${caseNo}`,
    currency: 'THB',
    amount,
    detail: '',
    openedAt: noon,
    closedAt: null,
    refundNo: null,
    cameBack: '0.00',
    paymentOrderNo: 'PO9',
    batchNo: 1,
  });
  const cases = [aCase(1, 'payout_paid_again', '60.00'), aCase(2, 'payout_returned', '20.00')];
  const before: Loaded = {
    ...loaded(),
    wallets: new Map([[merchantId, aWallet('TH', { merchantId, lastCaseNo: 2 })]]),
    cases: new Map(cases.map((one) => [`${merchantId} ${one.caseNo}`, one])),
  };
  const by = { actor: 'ann', approver: 'bob', reason: 'a test' };
  const { results, rows } = decideOn(
    before,
    { type: 'creditCase', merchantId, caseNo: 2, orderNo: null, by },
    { type: 'writeOffCase', merchantId, caseNo: 1, orderNo: null, by },
  );
  expect(results.map((result) => (result?.ok ? 'ok' : result?.rejection))).toEqual(['ok', 'ok']);
  expect(rows.transfers.added.at(-1)).toMatchObject({ credit: 'suspense', amount: '40.00' });
  expect(rows.cases.changed.map(({ caseNo, state, cameBack }) => [caseNo, state, cameBack])).toEqual([
    [1, 'written_off', '20.00'],
    [2, 'credited', '0.00'],
  ]);
});
