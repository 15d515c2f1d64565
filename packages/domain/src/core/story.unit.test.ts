import { expect, test } from 'vitest';
import { given } from '../testing/given.ts';
import { anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import { evolve } from './events.ts';
import { Money } from './money.ts';
import type { MoneyCase } from './payment.ts';
import { openCasesOf, stateOf, walletOf } from './state.ts';
import { Story } from './story.ts';

// Steps of a decision, and the state that their events lead to.

const begin = (state = stateOf(aWallet('TH'), { order: anOrder('TH') })): Story => Story.begin(state, {}, at(noon));
const aCase = (caseNo: number, changes: Partial<MoneyCase> = {}): MoneyCase => ({
  merchantId: 'TH-1',
  caseNo,
  kind: 'late',
  state: 'open',
  orderNo: 'PI000000001',
  channelId: 'fake',
  reference: null,
  currency: 'THB',
  amount: '1.00',
  detail: '',
  openedAt: noon,
  closedAt: null,
  refundNo: null,
  cameBack: '0.00',
  paymentOrderNo: null,
  batchNo: 1,
  ...changes,
});

test('a step returns a new story and does not change the previous one', () => {
  const before = begin();
  const after = before.changeOrder({ channelId: 'next' });
  expect([before.order.channelId, before.events.length]).toEqual(['fake', 0]);
  expect([after.order.channelId, after.events.length]).toEqual(['next', 1]);
  // What is so already is no event.
  expect(after.changeOrder({ channelId: 'next' })).toBe(after);
  expect(after.changeOrder({ channelId: 'next', attempt: 7 }).events).toHaveLength(2);
});

test('a transfer moves a positive amount, and a transfer of zero is left out', () => {
  const transfer = {
    merchantId: 'TH-1',
    orderNo: null,
    debit: 'external',
    credit: 'available',
    cause: 'top_up',
  } as const;
  const post = (amount: string): Story => begin().post({ ...transfer, amount: Money.of(amount, 'THB') });
  expect(post('0.00').events).toEqual([]);
  expect(post('0.01').events).toMatchObject([{ transfer: { transferNo: 1, amount: '0.01' } }]);
  expect(() => post('-0.01')).toThrow("a transfer's amount is positive, not -0.01");
});

test('rows are numbered by the wallet of their merchant, and a wallet that is not loaded is an error', () => {
  const other = aWallet('TH', { merchantId: 'TH-2', lastBatchNo: 6, lastTransferNo: 8 });
  const state = stateOf(aWallet('TH'), { otherWallet: other });
  expect(walletOf(state, 'TH-2')).toBe(other);
  expect(() => walletOf(state, 'TH-3')).toThrow('the wallet of TH-3 was not loaded');
  expect(() => walletOf(stateOf(aWallet('TH')), 'TH-2')).toThrow('the wallet of TH-2 was not loaded');
  const amount = Money.of('1.00', 'THB');
  const posted = begin(state).post({
    merchantId: 'TH-2',
    orderNo: null,
    debit: 'external',
    credit: 'available',
    amount,
    cause: 'top_up',
  });
  expect(posted.events).toMatchObject([{ transfer: { merchantId: 'TH-2', transferNo: 9, batchNo: 7 } }]);
  expect([posted.state.wallet.lastTransferNo, posted.state.otherWallet?.lastTransferNo]).toEqual([0, 9]);
});

test('a step of an order throws if the command names no order', () => {
  const state = stateOf(aWallet('TH'));
  expect(() => begin(state).order).toThrow('the command is about no order');
  const changed = { type: 'order changed', merchantId: 'TH-1', orderNo: 'PI1', changes: {} } as const;
  expect(() => evolve(state, changed)).toThrow('there is no order that could change');
});

test('only a completed order has the time of its completion', () => {
  const order = given(aWallet('TH'), anOrder('TH'));
  expect(order.whenReported({ outcome: 'failed', reason: 'no' }).order.completedAt).toBeNull();
  const paid = { outcome: 'paid', payments: [{ reference: 'P1', amount: '100.00' }] } as const;
  expect(order.whenReported(paid).order.completedAt).toBe(noon);
});

test('the open cases of an order are only its own cases, the oldest first', () => {
  const order = anOrder('TH');
  const others = [
    aCase(4, { state: 'returned' }),
    aCase(5, { orderNo: 'PI2' }),
    aCase(6, { orderNo: null }),
    aCase(7, { merchantId: 'TH-2' }),
  ];
  const cases = [aCase(3), ...others, aCase(1), aCase(2)];
  const found = openCasesOf(stateOf(aWallet('TH'), { order, cases }), order);
  expect(found.map(({ caseNo }) => caseNo)).toEqual([1, 2, 3]);
});

test('a case is closed, and a case of another merchant with the same number is not', () => {
  const another = aCase(1, { merchantId: 'PLATFORM-TH' });
  const state = stateOf(aWallet('TH'), { cases: [another, aCase(1), aCase(2)] });
  const { cases } = begin(state).closeCase(aCase(1), 'returned').state;
  expect(cases).toEqual([another, { ...aCase(1), state: 'returned', closedAt: noon }, aCase(2)]);
});
