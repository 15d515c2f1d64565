import { expect, test } from 'vitest';
import { aDraft, anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import type { BookWallet, Command } from './commands.ts';
import { decideWithinLimit, isRehearsed, movesAlone, type OperatorDay } from './daily-limit.ts';
import type { Taken } from './decide.ts';
import type { Draft } from './draft.ts';
import type { Decision } from './operator.ts';
import type { MoneyCase } from './payment.ts';

// An operator may move 100.00 a day without a second one, and has moved 60.00 today.

const alone: Decision = { actor: 'ann', approver: null, reason: 'a test', dailyLimit: '100.00' };
const day = (changes: Partial<OperatorDay> = {}): OperatorDay => ({
  ...{ operatorId: 'ann', day: '2026-01-15', currency: 'THB', amount: '60.00' },
  ...changes,
});
const booking = (amount: string, by: Decision = alone): BookWallet => ({
  ...{ type: 'bookWallet', merchantId: 'TH-1', entry: 'ADJUSTMENT', amount, bookingNo: 'B-1', remark: 'r', by },
});
const rich = (): Draft => aDraft(aWallet('TH', { available: '1000.00' }));

/** Decides; gives what it came to and the sum of the day. What is refused has changed nothing. */
function ask(draft: Draft, command: Command, { days = [day()], taken = null as Taken | null } = {}): string {
  const before = JSON.stringify(draft);
  const refusal = decideWithinLimit(draft, command, taken, at(noon), days);
  if (refusal !== null) expect(JSON.stringify(draft)).toBe(before);
  return `${refusal ?? 'done'}, ${days.map(({ amount }) => amount).join(' ')}`;
}

test.each([
  ['40.00', 'done, 100.00'],
  ['40.01', 'second_operator_needed, 60.00'],
  ['-40.00', 'done, 100.00'],
  ['-40.01', 'second_operator_needed, 60.00'],
  // What is refused anyway is refused for its own reason.
  ['-1000.01', 'balance_insufficient, 60.00'],
])('a booking of %s: %s', (amount, expected) => {
  const draft = rich();
  expect(ask(draft, booking(amount))).toBe(expected);
  expect(draft.added.entries).toHaveLength(expected.startsWith('done') ? 1 : 0);
  expect(draft.added.audits).toHaveLength(expected.startsWith('done') ? 1 : 0);
});

test('the day of this operator in this currency counts', () => {
  const days = [day({ operatorId: 'bob', amount: '99.00' }), day({ currency: 'INR', amount: '98.00' }), day()];
  expect(ask(rich(), booking('40.00'), { days })).toBe('done, 99.00 98.00 100.00');
  expect(() => ask(rich(), booking('1.00'), { days: days.slice(0, 2) })).toThrow(
    'the day of ann in THB was not loaded',
  );
});

test('the same booking again moves nothing, so that a full day does not stop it', () => {
  const taken = { orderNo: 'B-1', booked: { entry: 'ADJUSTMENT', amount: '40.00' } };
  expect(ask(rich(), booking('40.00'), { days: [day({ amount: '100.00' })], taken })).toBe('done, 100.00');
});

test('the limit is for whom nobody approves, and counts who approves alone', () => {
  expect(movesAlone(booking('1.00'))).toEqual(alone);
  expect(movesAlone(booking('1.00', { ...alone, approver: 'ann' }))).toMatchObject({ dailyLimit: '100.00' });
  expect(movesAlone(booking('1.00', { ...alone, approver: 'bob' }))).toBeNull();
  const { dailyLimit: _, ...unlimited } = alone;
  expect(movesAlone(booking('1.00', unlimited))).toBeNull();
  expect(ask(rich(), booking('900.00', { ...alone, approver: 'bob' }))).toBe('done, 60.00');
});

test('what moves no money into a wallet has no limit', () => {
  const ref = { merchantId: 'TH-1', orderNo: 'PI1' };
  const named = { merchantId: 'TH-1', caseNo: 1, orderNo: null };
  expect(movesAlone({ type: 'cancelOrder', ref, confirmedBy: 'channel', by: alone })).toBeNull();
  expect(movesAlone({ type: 'returnCase', ...named, by: alone })).toBeNull();
  expect(movesAlone({ type: 'creditCase', ...named, by: alone })).toEqual(alone);
  expect(movesAlone({ type: 'confirmFunds', ref, amount: '1.00', reference: 'P1', by: alone })).toEqual(alone);
});

test('funds that were confirmed before move nothing', () => {
  const order = anOrder('TH', { mode: 'manual', status: 'created', nextAction: 'expire', channelRef: null });
  const confirm = (amount: string): Command => {
    const ref = { merchantId: 'TH-1', orderNo: order.orderNo };
    return { type: 'confirmFunds', ref, amount, reference: 'P1', by: alone };
  };
  const draft = aDraft(aWallet('TH'), { ...order });
  expect(ask(draft, confirm('100.00'))).toBe('second_operator_needed, 60.00');
  expect(ask(draft, confirm('40.00'))).toBe('done, 100.00');
  expect(ask(draft, confirm('40.00'), { days: [day({ amount: '100.00' })] })).toBe('done, 100.00');
  const other = { merchantId: 'TH-1', orderNo: order.orderNo, channelId: 'fake', amount: '1.00', receivedAt: noon };
  draft.payments.unshift({ ...other, reference: 'P0', use: 'part', batchNo: null });
  expect(ask(draft, { ...confirm('1.00'), reference: 'P2' } as Command, { days: [day({ amount: '100.00' })] })).toBe(
    'second_operator_needed, 100.00',
  );
});

const aCase = (caseNo: number, amount: string, merchantId = 'TH-1'): MoneyCase => ({
  ...{
    merchantId,
    caseNo,
    kind: 'wrong_amount',
    state: 'open',
    orderNo: null,
    channelId: 'fake',
    reference: `P${caseNo}`,
  },
  ...{ currency: 'THB', amount, detail: '', openedAt: noon, closedAt: null, batchNo: null },
});

test('of cases that are credited together the sum counts', () => {
  const credit = (alsoCaseNos?: number[]): Command => {
    const named = { merchantId: 'TH-1', caseNo: 1, orderNo: null, toWallet: true, ...(alsoCaseNos && { alsoCaseNos }) };
    return { type: 'creditCase', ...named, by: alone };
  };
  const draft = (): Draft => ({
    ...aDraft(aWallet('TH')),
    cases: [aCase(1, '25.00'), aCase(2, '15.01'), aCase(3, '50.00'), aCase(1, '70.00', 'TH-2')],
  });
  expect(ask(draft(), credit())).toBe('done, 85.00');
  expect(ask(draft(), credit([2]))).toBe('second_operator_needed, 60.00');
  expect(ask(draft(), credit([2]), { days: [day({ amount: '59.99' })] })).toBe('done, 100.00');
});

test('a rehearsal says what would happen, and does nothing', () => {
  const rehearsed = (amount: string, by: Decision = alone): BookWallet => booking(amount, { ...by, rehearsal: true });
  const { dailyLimit: _, ...unlimited } = alone;
  for (const by of [alone, unlimited]) {
    const draft = rich();
    const before = JSON.stringify(draft);
    expect(ask(draft, rehearsed('40.00', by))).toBe('done, 60.00');
    expect(ask(draft, rehearsed('-1000.01', by))).toBe('balance_insufficient, 60.00');
    expect(JSON.stringify(draft)).toBe(before);
  }
  expect(ask(rich(), rehearsed('40.01'))).toBe('second_operator_needed, 60.00');
  expect(isRehearsed(rehearsed('1.00'))).toBe(true);
  expect(isRehearsed(booking('1.00'))).toBe(false);
  const ref = { merchantId: 'TH-1', orderNo: 'PI1' };
  expect(isRehearsed({ type: 'endClaim', ref, by: null })).toBe(false);
  expect(isRehearsed({ type: 'claimWork', ref, action: 'poll', lease: 1 })).toBe(false);
});
