import { expect, test } from 'vitest';
import { type Given, given } from '../testing/given.ts';
import { inFull } from '../testing/in-full.ts';
import { aNewOrder, anOrder, aWallet } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';

// Every row that a payout over 100.00 with a fee of 2.50 writes, whatever becomes of it: its history, its money, and what people have to decide.

const pay = (reference: string, amount = '100.00') => ({ reference, amount });
const paid = (...payments: ReturnType<typeof pay>[]): ChannelAnswer => ({ outcome: 'paid', payments });
const failed: ChannelAnswer = { outcome: 'failed', reason: 'no' };
const reported = (before: Given, ...answers: ChannelAnswer[]): Given => before.whenReportedEach(answers);
const ret = (reference: string, amount = '100.00'): ChannelAnswer => ({
  outcome: 'returned',
  payments: [],
  returned: pay(reference, amount),
  reason: 'account closed',
});

const payout = (): Given =>
  given(aWallet('IN', { available: '897.50', frozen: '102.50' }), anOrder('IN', {}, 'payout'));
const createPayout = (mode: 'upstream' | 'market', country: 'IN' | 'PK'): Given => {
  const order = aNewOrder(country, 'payout', { mode });
  return given(aWallet(country, { available: '1000.00' })).when({ type: 'createPayout', order });
};
const resolve = (before: Given, outcome: 'paid' | 'failed' = 'paid'): Given => {
  const by = { actor: 'ann', approver: 'bob', reason: 'seen' };
  const ref = { merchantId: 'IN-1', orderNo: 'PO000000001' };
  return before.when({ type: 'resolvePayout', ref, outcome, evidence: 'statement', by });
};

test.each<[string, () => Given, string[]]>([
  [
    'is created in India',
    () => createPayout('upstream', 'IN'),
    [
      '1 new > created: created by merchant (null)',
      '2 created > processing: begun by merchant (null)',
      'payout_freeze available > frozen 102.50 for PO000000001',
      'PAYOUT_FREEZE -102.50 102.50 for PO000000001 M-1 (null, null)',
    ],
  ],
  [
    'is created for the market',
    () => createPayout('market', 'PK'),
    [
      '1 new > created: created by merchant (null)',
      '2 created > market_available: task_listed by market (null)',
      'payout_freeze available > frozen 102.50 for PO000000001',
      'PAYOUT_FREEZE -102.50 102.50 for PO000000001 M-1 (null, null)',
    ],
  ],
  [
    'is paid',
    () => reported(payout(), paid(pay('P1'))),
    [
      '2 processing > completed: paid by channel:fake (paid)',
      'payout_settle frozen > channel:fake 100.00 for PO000000001',
      'payout_fee frozen > fee_revenue 2.50 for PO000000001',
      'credited P1 100.00 by fake for PO000000001',
      'PAYOUT 0.00 -102.50 for PO000000001 M-1 (null, null)',
    ],
  ],
  [
    'fails',
    () => reported(payout(), failed),
    [
      '2 processing > failed: channel_failed by channel:fake (no)',
      'payout_release frozen > available 102.50 for PO000000001',
      'PAYOUT_RELEASE 102.50 -102.50 for PO000000001 M-1 (null, null)',
    ],
  ],
  [
    'is paid another amount',
    () => reported(payout(), paid(pay('P1', '99.00'))),
    [
      'suspense_out suspense > channel:fake 99.00 for PO000000001',
      'unasked P1 99.00 by fake for PO000000001',
      'case payout_wrong_amount P1 99.00 by fake for PO000000001 (99.00 of 100.00 was paid, the order stays open)',
    ],
  ],
  [
    'is paid after it failed',
    () => reported(payout(), failed, paid(pay('P1'))),
    [
      '2 processing > failed: channel_failed by channel:fake (no)',
      'payout_release frozen > available 102.50 for PO000000001',
      'suspense_out suspense > channel:fake 100.00 for PO000000001',
      'unasked P1 100.00 by fake for PO000000001',
      'case payout_paid_again P1 100.00 by fake for PO000000001 (paid by the channel while the order is failed)',
      'PAYOUT_RELEASE 102.50 -102.50 for PO000000001 M-1 (null, null)',
    ],
  ],
  [
    'is paid after it failed, and sent back',
    () => reported(payout(), failed, paid(pay('P1')), ret('R1')),
    [
      '2 processing > failed: channel_failed by channel:fake (no)',
      'payout_release frozen > available 102.50 for PO000000001',
      'suspense_out suspense > channel:fake 100.00 for PO000000001',
      'suspense_in channel:fake > suspense 100.00 for PO000000001',
      'unasked P1 100.00 by fake for PO000000001',
      'returned R1 100.00 by fake for PO000000001',
      'case payout_paid_again P1 100.00 by fake for PO000000001 (paid by the channel while the order is failed)',
      'PAYOUT_RELEASE 102.50 -102.50 for PO000000001 M-1 (null, null)',
    ],
  ],
  [
    'is sent back in parts, and more than it was, after it failed',
    () => reported(payout(), failed, paid(pay('P1')), ret('R1', '99.00'), ret('R2', '3.00')),
    [
      '2 processing > failed: channel_failed by channel:fake (no)',
      'payout_release frozen > available 102.50 for PO000000001',
      'suspense_out suspense > channel:fake 100.00 for PO000000001',
      'suspense_in channel:fake > suspense 99.00 for PO000000001',
      'suspense_in channel:fake > suspense 3.00 for PO000000001',
      'unasked P1 100.00 by fake for PO000000001',
      'returned R1 99.00 by fake for PO000000001',
      'returned R2 3.00 by fake for PO000000001',
      'case payout_paid_again P1 100.00 by fake for PO000000001 (paid by the channel while the order is failed)',
      'case payout_returned R2 2.00 by fake for PO000000001 (returned by the bank: account closed)',
      'PAYOUT_RELEASE 102.50 -102.50 for PO000000001 M-1 (null, null)',
    ],
  ],
  [
    'is paid and sent back under one reference',
    () => reported(payout(), paid(pay('P1')), ret('P1')),
    [
      '2 processing > completed: paid by channel:fake (paid)',
      'payout_settle frozen > channel:fake 100.00 for PO000000001',
      'payout_fee frozen > fee_revenue 2.50 for PO000000001',
      'suspense_in channel:fake > suspense 100.00 for PO000000001',
      'credited P1 100.00 by fake for PO000000001',
      'returned P1 100.00 by fake for PO000000001',
      'case payout_returned P1 100.00 by fake for PO000000001 (returned by the bank: account closed)',
      'PAYOUT 0.00 -102.50 for PO000000001 M-1 (null, null)',
    ],
  ],
  [
    'is paid, and then called failed',
    () => reported(payout(), paid(pay('P1')), failed),
    [
      '2 processing > completed: paid by channel:fake (paid)',
      'payout_settle frozen > channel:fake 100.00 for PO000000001',
      'payout_fee frozen > fee_revenue 2.50 for PO000000001',
      'credited P1 100.00 by fake for PO000000001',
      'case contradiction null 100.00 by fake for PO000000001 (no (failed) after completed)',
      'PAYOUT 0.00 -102.50 for PO000000001 M-1 (null, null)',
    ],
  ],
  [
    'is paid under one reference with two amounts',
    () => reported(payout(), paid(pay('P1')), paid(pay('P1', '99.00'))),
    [
      '2 processing > completed: paid by channel:fake (paid)',
      'payout_settle frozen > channel:fake 100.00 for PO000000001',
      'payout_fee frozen > fee_revenue 2.50 for PO000000001',
      'credited P1 100.00 by fake for PO000000001',
      'case contradiction null 100.00 by fake for PO000000001 (P1 was 100.00 before and is 99.00 now)',
      'PAYOUT 0.00 -102.50 for PO000000001 M-1 (null, null)',
    ],
  ],
  [
    'is settled by what operators saw',
    () => resolve(payout()),
    [
      '2 processing > completed: paid by operator:ann+bob (seen; evidence: statement)',
      'payout_settle frozen > channel:fake 100.00 for PO000000001',
      'payout_fee frozen > fee_revenue 2.50 for PO000000001',
      'evidence without a reference 100.00 by fake for PO000000001',
      'PAYOUT 0.00 -102.50 for PO000000001 M-1 (null, null)',
      'resolvePayout of PO000000001 by ann and bob: seen',
    ],
  ],
  [
    'is settled, and then reported',
    () => reported(resolve(payout()), paid(pay('P1'))),
    [
      '2 processing > completed: paid by operator:ann+bob (seen; evidence: statement)',
      'payout_settle frozen > channel:fake 100.00 for PO000000001',
      'payout_fee frozen > fee_revenue 2.50 for PO000000001',
      'evidence without a reference 100.00 by fake for PO000000001',
      'credited P1 100.00 by fake for PO000000001',
      'PAYOUT 0.00 -102.50 for PO000000001 M-1 (null, null)',
      'resolvePayout of PO000000001 by ann and bob: seen',
    ],
  ],
  [
    'is settled, and then reported with less',
    () => reported(resolve(payout()), paid(pay('P1', '99.00'))),
    [
      '2 processing > completed: paid by operator:ann+bob (seen; evidence: statement)',
      'payout_settle frozen > channel:fake 100.00 for PO000000001',
      'payout_fee frozen > fee_revenue 2.50 for PO000000001',
      'suspense_in channel:fake > suspense 1.00 for PO000000001',
      'evidence without a reference 100.00 by fake for PO000000001',
      'credited P1 99.00 by fake for PO000000001',
      'case payout_underpaid P1 1.00 by fake for PO000000001 (99.00 was paid, operators had seen 100.00)',
      'PAYOUT 0.00 -102.50 for PO000000001 M-1 (null, null)',
      'resolvePayout of PO000000001 by ann and bob: seen',
    ],
  ],
  [
    'is settled, and then reported with more',
    () => reported(resolve(payout()), paid(pay('P1', '101.00'))),
    [
      '2 processing > completed: paid by operator:ann+bob (seen; evidence: statement)',
      'payout_settle frozen > channel:fake 100.00 for PO000000001',
      'payout_fee frozen > fee_revenue 2.50 for PO000000001',
      'suspense_out suspense > channel:fake 1.00 for PO000000001',
      'evidence without a reference 100.00 by fake for PO000000001',
      'credited P1 101.00 by fake for PO000000001',
      'case payout_paid_again P1 1.00 by fake for PO000000001 (101.00 was paid, operators had seen 100.00)',
      'PAYOUT 0.00 -102.50 for PO000000001 M-1 (null, null)',
      'resolvePayout of PO000000001 by ann and bob: seen',
    ],
  ],
  [
    'is settled after less was reported',
    () => resolve(reported(payout(), paid(pay('P1', '99.00')))),
    [
      '2 processing > completed: paid by operator:ann+bob (seen; evidence: statement)',
      'suspense_out suspense > channel:fake 99.00 for PO000000001',
      'payout_settle frozen > suspense 100.00 for PO000000001',
      'payout_fee frozen > fee_revenue 2.50 for PO000000001',
      'unasked P1 99.00 by fake for PO000000001',
      'case payout_wrong_amount P1 99.00 by fake for PO000000001 (99.00 of 100.00 was paid, the order stays open)',
      'case payout_underpaid null 1.00 by fake for PO000000001 (operators saw 100.00 paid, the channel reported 1.00 less)',
      'PAYOUT 0.00 -102.50 for PO000000001 M-1 (null, null)',
      'resolvePayout of PO000000001 by ann and bob: seen',
    ],
  ],
  [
    'is settled after more was reported',
    () => resolve(reported(payout(), paid(pay('P1', '60.00'), pay('P2', '70.00')))),
    [
      '2 processing > completed: paid by operator:ann+bob (seen; evidence: statement)',
      'suspense_out suspense > channel:fake 60.00 for PO000000001',
      'suspense_out suspense > channel:fake 70.00 for PO000000001',
      'payout_settle frozen > suspense 100.00 for PO000000001',
      'payout_fee frozen > fee_revenue 2.50 for PO000000001',
      'unasked P1 60.00 by fake for PO000000001',
      'unasked P2 70.00 by fake for PO000000001',
      'case payout_wrong_amount P1 60.00 by fake for PO000000001 (60.00 of 100.00 was paid, the order stays open)',
      'case payout_wrong_amount P2 70.00 by fake for PO000000001 (70.00 of 100.00 was paid, the order stays open)',
      'case payout_paid_again P2 30.00 by fake for PO000000001 (left of case 2: 70.00 was paid)',
      'PAYOUT 0.00 -102.50 for PO000000001 M-1 (null, null)',
      'resolvePayout of PO000000001 by ann and bob: seen',
    ],
  ],
  [
    'is ended by what operators saw',
    () => resolve(payout(), 'failed'),
    [
      '2 processing > failed: channel_failed by operator:ann+bob (seen; evidence: statement)',
      'payout_release frozen > available 102.50 for PO000000001',
      'PAYOUT_RELEASE 102.50 -102.50 for PO000000001 M-1 (null, null)',
      'resolvePayout of PO000000001 by ann and bob: seen',
    ],
  ],
])('a payout that %s', (_, story, rows) => {
  expect(story().refusal).toBeNull();
  expect(inFull(story())).toEqual(rows);
});
