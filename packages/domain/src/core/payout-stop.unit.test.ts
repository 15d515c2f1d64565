import { expect, test } from 'vitest';
import { aNewOrder, aWallet } from '../testing/on-paper.ts';
import type { Command } from './commands.ts';
import { isStopped, maySendMoney } from './payout-stop.ts';
import { stateOf } from './state.ts';

// Which commands are refused while the payouts of a merchant are stopped.

const merchantId = 'PK-1';
const ref = { merchantId, orderNo: 'PO1' };
const by = { actor: 'ann', approver: 'bob', reason: 'a test' };
const wallet = { type: 'bookWallet', merchantId, amount: '1.00', bookingNo: 'B', remark: 'r', by } as const;
const settlement = { merchantId, seq: 1, settlementNo: 'ST1' } as const;

test.each<[string, boolean, Command]>([
  ['a new payout', true, { type: 'createPayout', order: aNewOrder('PK', 'payout') }],
  ['a new payin', false, { type: 'createPayin', order: aNewOrder('PK', 'payin'), submitAfter: 0, expiresIn: 1 }],
  ['the submission of an order', true, { type: 'claimWork', ref, action: 'submit', lease: 1 }],
  ['the query of an order', false, { type: 'claimWork', ref, action: 'poll', lease: 1 }],
  ['the claim of a task', true, { type: 'claimTask', ref, lease: 1, by }],
  [
    'a refund that is sent',
    true,
    { type: 'claimRefund', merchantId, caseNo: 1, refundNo: 'R', action: 'send', attempt: 0, lease: 1 },
  ],
  [
    'a refund that is queried',
    false,
    { type: 'claimRefund', merchantId, caseNo: 1, refundNo: 'R', action: 'query', attempt: 0, lease: 1 },
  ],
  ['a settlement that is claimed for a transfer', true, { type: 'paySettlement', ...settlement, reference: 'x', by }],
  [
    'a settlement that is sent',
    true,
    { type: 'claimSettlementPayment', ...settlement, action: 'send', attempt: 0, lease: 1 },
  ],
  [
    'a settlement that is queried',
    false,
    { type: 'claimSettlementPayment', ...settlement, action: 'query', attempt: 0, lease: 1 },
  ],
  ['a settlement that is booked', true, { ...wallet, entry: 'SETTLEMENT' }],
  ['a top-up', false, { ...wallet, entry: 'TOP_UP' }],
  ['an adjustment', false, { ...wallet, entry: 'ADJUSTMENT' }],
])('%s may send money: %s', (_, expected, command) => {
  expect(maySendMoney(command)).toBe(expected);
});

test('the submission of a payin is not stopped, and neither is a repeat', () => {
  const state = stateOf(aWallet('PK'), { payoutsStopped: true });
  const command: Command = { type: 'createPayout', order: aNewOrder('PK', 'payout') };
  expect(isStopped(state, command)).toBe(true);
  expect(isStopped({ ...state, payoutsStopped: false }, command)).toBe(false);
  expect(isStopped({ ...state, existing: { orderNo: 'PO1' } }, command)).toBe(false);
  expect(isStopped(state, { type: 'claimWork', ref, action: 'submit', lease: 1 })).toBe(false);
});
