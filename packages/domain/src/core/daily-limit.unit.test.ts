import { expect, test } from 'vitest';
import { type Given, given } from '../testing/given.ts';
import { anOrder, aWallet, noon } from '../testing/on-paper.ts';
import type { BookWallet, Command } from './commands.ts';
import { isRehearsed, operatorActingAlone } from './daily-limit.ts';
import type { Decision, OperatorDay } from './operator.ts';
import type { MoneyCase } from './payment.ts';
import type { State } from './state.ts';

// An operator may move 100.00 a day without a second one, and has moved 60.00 today.

const alone: Decision = { actor: 'ann', approver: null, reason: 'a test', dailyLimit: '100.00' };
const day = (amount = '60.00'): OperatorDay => ({ operatorId: 'ann', day: '2026-01-15', currency: 'THB', amount });
const booking = (amount: string, by: Decision = alone): BookWallet => ({
  type: 'bookWallet',
  merchantId: 'TH-1',
  entry: 'ADJUSTMENT',
  amount,
  bookingNo: 'B-1',
  remark: 'r',
  by,
});
const rich = (more: Partial<State> = {}): Given =>
  given(aWallet('TH', { available: '1000.00' }), null, { operatorDay: day(), ...more });

/** What the last command came to, and the sum of the day after it. */
const cameTo = ({ refusal, state }: Given): string => `${refusal ?? 'done'}, ${state.operatorDay?.amount}`;

test.each([
  ['40.00', 'done, 100.00'],
  ['40.01', 'second_operator_needed, 60.00'],
  ['-40.00', 'done, 100.00'],
  ['-40.01', 'second_operator_needed, 60.00'],
  // What is refused anyway is refused for its own reason.
  ['-1000.01', 'balance_insufficient, 60.00'],
])('a booking of %s: %s', (amount, expected) => {
  const booked = rich().when(booking(amount));
  expect(cameTo(booked)).toBe(expected);
  const happened = ['entry made', 'transfer posted', 'audit recorded', 'limit used'];
  expect(booked.events.map(({ type }) => type)).toEqual(expected.startsWith('done') ? happened : []);
});

test('a movement by one operator throws if the amount of the day was not loaded', () => {
  expect(() => rich({ operatorDay: null }).when(booking('1.00'))).toThrow('the day of ann in THB was not loaded');
});

test('the same booking again moves nothing, so that a full day does not stop it', () => {
  const existing = { orderNo: 'B-1', booked: { entry: 'ADJUSTMENT', amount: '40.00', counter: 'external' } } as const;
  const again = rich({ operatorDay: day('100.00'), existing }).when(booking('40.00'));
  expect(cameTo(again)).toBe('done, 100.00');
});

test('the limit applies to movements without another operator, also if the requester is named as approver', () => {
  expect(operatorActingAlone(booking('1.00'))).toEqual(alone);
  expect(operatorActingAlone(booking('1.00', { ...alone, approver: 'ann' }))).toMatchObject({ dailyLimit: '100.00' });
  expect(operatorActingAlone(booking('1.00', { ...alone, approver: 'bob' }))).toBeNull();
  const { dailyLimit: _, ...unlimited } = alone;
  expect(operatorActingAlone(booking('1.00', unlimited))).toBeNull();
  expect(cameTo(rich().when(booking('900.00', { ...alone, approver: 'bob' })))).toBe('done, 60.00');
});

test('commands that move no money have no limit', () => {
  const ref = { merchantId: 'TH-1', orderNo: 'PI1' };
  const named = { merchantId: 'TH-1', caseNo: 1, orderNo: null };
  expect(operatorActingAlone({ type: 'cancelOrder', ref, confirmedBy: 'channel', by: alone })).toBeNull();
  expect(operatorActingAlone({ type: 'returnCase', ...named, by: alone })).toEqual(alone);
  expect(operatorActingAlone({ type: 'creditCase', ...named, by: alone })).toEqual(alone);
  expect(operatorActingAlone({ type: 'confirmFunds', ref, amount: '1.00', reference: 'P1', by: alone })).toEqual(alone);
});

test('funds that were confirmed before do not count', () => {
  const order = anOrder('TH', { mode: 'manual', status: 'created', nextAction: 'expire', channelRef: null });
  const confirm = (amount: string): Command => {
    const ref = { merchantId: 'TH-1', orderNo: order.orderNo };
    return { type: 'confirmFunds', ref, amount, reference: 'P1', by: alone };
  };
  const state = (operatorDay: OperatorDay, more: Partial<State> = {}): Given =>
    given(aWallet('TH'), order, { operatorDay, ...more });
  expect(cameTo(state(day()).when(confirm('100.00')))).toBe('second_operator_needed, 60.00');
  const confirmed = state(day()).when(confirm('40.00'));
  expect(cameTo(confirmed)).toBe('done, 100.00');
  expect(cameTo(confirmed.when(confirm('40.00')))).toBe('done, 100.00');
  expect(cameTo(confirmed.when({ ...confirm('40.00'), reference: ' p-1 ' } as Command))).toBe('done, 100.00');
  const other = { merchantId: 'TH-1', orderNo: order.orderNo, channelId: 'fake', amount: '1.00', receivedAt: noon };
  const payments = [
    { ...other, seq: 2, direction: 'in', reference: 'P0', use: 'part', line: null, batchNo: 1 } as const,
    ...confirmed.state.payments,
  ];
  const another = { ...confirm('1.00'), reference: 'P2' } as Command;
  const full = state(day('100.00'), { payments });
  expect(cameTo(full.when(another))).toBe('second_operator_needed, 100.00');
  expect(cameTo(full.when(confirm('40.00')))).toBe('done, 100.00');
});

const aCase = (caseNo: number, amount: string, merchantId = 'TH-1'): MoneyCase => ({
  merchantId,
  caseNo,
  kind: 'wrong_amount',
  state: 'open',
  orderNo: null,
  channelId: 'fake',
  reference: `P${caseNo}`,
  currency: 'THB',
  amount,
  detail: '',
  openedAt: noon,
  closedAt: null,
  refundNo: null,
  cameBack: '0.00',
  paymentOrderNo: null,
  batchNo: 1,
});

test('the sum of cases credited together counts', () => {
  const credit = (alsoCaseNos?: number[]): Command => {
    const named = { merchantId: 'TH-1', caseNo: 1, orderNo: null, toWallet: true, ...(alsoCaseNos && { alsoCaseNos }) };
    return { type: 'creditCase', ...named, by: alone };
  };
  const cases = [aCase(1, '25.00'), aCase(2, '15.01'), aCase(3, '50.00'), aCase(1, '70.00', 'TH-2')];
  expect(cameTo(rich({ cases }).when(credit()))).toBe('done, 85.00');
  expect(cameTo(rich({ cases }).when(credit([2])))).toBe('second_operator_needed, 60.00');
  expect(cameTo(rich({ cases, operatorDay: day('59.99') }).when(credit([2])))).toBe('done, 100.00');
});

test('a returned case counts towards the limit, and a contradiction, which holds no money, does not', () => {
  const giveBack = (caseNo: number): Command => ({
    type: 'returnCase',
    merchantId: 'TH-1',
    caseNo,
    orderNo: null,
    by: alone,
  });
  const contradiction: MoneyCase = { ...aCase(3, '90.00'), kind: 'contradiction' };
  const cases = [aCase(1, '40.00'), aCase(2, '40.01'), contradiction];
  expect(cameTo(rich({ cases }).when(giveBack(1)))).toBe('done, 100.00');
  expect(cameTo(rich({ cases }).when(giveBack(2)))).toBe('second_operator_needed, 60.00');
  expect(cameTo(rich({ cases }).when(giveBack(3)))).toBe('done, 60.00');
});

test('a rehearsal is decided as the command itself would be', () => {
  const rehearsed = (amount: string, by: Decision = alone): BookWallet => booking(amount, { ...by, rehearsal: true });
  const { dailyLimit: _, ...unlimited } = alone;
  for (const by of [alone, unlimited]) {
    const { rehearsal, ...real } = rehearsed('40.00', by).by as Decision;
    expect(rich().when(rehearsed('40.00', by)).last).toEqual(rich().when(booking('40.00', real)).last);
    rich().when(rehearsed('-1000.01', by)).gives('balance_insufficient');
  }
  rich().when(rehearsed('40.01')).gives('second_operator_needed');
  expect(isRehearsed(rehearsed('1.00'))).toBe(true);
  expect(isRehearsed(booking('1.00'))).toBe(false);
  const ref = { merchantId: 'TH-1', orderNo: 'PI1' };
  expect(isRehearsed({ type: 'endClaim', ref, by: null })).toBe(false);
  expect(isRehearsed({ type: 'claimWork', ref, action: 'poll', lease: 1 })).toBe(false);
});
