import { expect, test } from 'vitest';
import { type Given, given } from '../testing/given.ts';
import { inFull } from '../testing/in-full.ts';
import { aNewOrder, anOrder, aWallet } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';

// Every row that a payin over 100.00 with a fee of 2.50 writes, whatever becomes of it: its history, its money, and what people have to decide.

const pay = (reference: string, amount = '100.00') => ({ reference, amount });
const paid = (...payments: ReturnType<typeof pay>[]): ChannelAnswer => ({ outcome: 'paid', payments });
const part = (...payments: ReturnType<typeof pay>[]): ChannelAnswer => ({ outcome: 'part_paid', payments });
const failed: ChannelAnswer = { outcome: 'failed', reason: 'no' };
const reported = (before: Given, ...answers: ChannelAnswer[]): Given => before.whenReportedEach(answers);

const payin = (): Given => given(aWallet('TH'), anOrder('TH'));
const createPayin = (country: 'IN' | 'TH'): Given =>
  given(aWallet(country)).when({ type: 'createPayin', order: aNewOrder(country), submitAfter: 0, expiresIn: 1000 });
const manual = (): Given => {
  const open = { mode: 'manual', status: 'created', nextAction: 'expire', channelRef: null } as const;
  return given(aWallet('TH'), anOrder('TH', open));
};
const confirm = (before: Given, amount: string, reference = 'P1'): Given => {
  const by = { actor: 'ann', approver: null, reason: 'seen' };
  const ref = { merchantId: 'TH-1', orderNo: 'PI000000001' };
  return before.when({ type: 'confirmFunds', ref, amount, reference, by });
};

test.each<[string, () => Given, string[]]>([
  ['is created', () => createPayin('TH'), ['1 new > created: created by merchant (null)']],
  [
    'is created in India, where it begins at once',
    () => createPayin('IN'),
    ['1 new > created: created by merchant (null)', '2 created > processing: begun by merchant (null)'],
  ],
  [
    'is paid',
    () => reported(payin(), paid(pay('P1'))),
    [
      '2 processing > completed: paid by channel:fake (null)',
      'payin channel:fake > available 97.50 for PI000000001',
      'payin_fee channel:fake > fee_revenue 2.50 for PI000000001',
      'credited P1 100.00 by fake for PI000000001',
      'PAYIN 97.50 0.00 for PI000000001 M-1 (null, null)',
    ],
  ],
  [
    'is paid in two parts',
    () => reported(payin(), part(pay('P1', '40.00')), paid(pay('P1', '40.00'), pay('P2', '60.00'))),
    [
      '2 processing > partial_paid: part_paid by channel:fake (40.00 came)',
      '3 partial_paid > completed: paid by channel:fake (null)',
      'payin_part channel:fake > suspense 40.00 for PI000000001',
      'payin_part channel:fake > suspense 60.00 for PI000000001',
      'payin_parts_credited suspense > available 97.50 for PI000000001',
      'payin_fee suspense > fee_revenue 2.50 for PI000000001',
      'part P1 40.00 by fake for PI000000001',
      'credited P2 60.00 by fake for PI000000001',
      'PAYIN 97.50 0.00 for PI000000001 M-1 (null, null)',
    ],
  ],
  [
    'is paid in a part that is named twice',
    () => reported(payin(), part(pay('P1', '40.00'), pay('P1', '40.00'))),
    [
      '2 processing > partial_paid: part_paid by channel:fake (40.00 came)',
      'payin_part channel:fake > suspense 40.00 for PI000000001',
      'part P1 40.00 by fake for PI000000001',
    ],
  ],
  [
    'is paid late',
    () => reported(payin(), failed, paid(pay('P1'))),
    [
      '2 processing > failed: channel_failed by channel:fake (no)',
      'suspense_in channel:fake > suspense 100.00 for PI000000001',
      'suspense P1 100.00 by fake for PI000000001',
      'case late P1 100.00 by fake for PI000000001 (the order is failed)',
    ],
  ],
  [
    'is paid twice',
    () => reported(payin(), paid(pay('P1')), paid(pay('P2'))),
    [
      '2 processing > completed: paid by channel:fake (null)',
      'payin channel:fake > available 97.50 for PI000000001',
      'payin_fee channel:fake > fee_revenue 2.50 for PI000000001',
      'suspense_in channel:fake > suspense 100.00 for PI000000001',
      'credited P1 100.00 by fake for PI000000001',
      'suspense P2 100.00 by fake for PI000000001',
      'case double P2 100.00 by fake for PI000000001 (the order is completed already)',
      'PAYIN 97.50 0.00 for PI000000001 M-1 (null, null)',
    ],
  ],
  [
    'is paid too little',
    () => reported(payin(), paid(pay('P1', '99.00'))),
    [
      'suspense_in channel:fake > suspense 99.00 for PI000000001',
      'suspense P1 99.00 by fake for PI000000001',
      'case wrong_amount P1 99.00 by fake for PI000000001 (99.00 came, 100.00 was due)',
    ],
  ],
  [
    'is paid too much',
    () => reported(payin(), paid(pay('P1', '100.01'))),
    [
      'suspense_in channel:fake > suspense 100.01 for PI000000001',
      'suspense P1 100.01 by fake for PI000000001',
      'case wrong_amount P1 100.01 by fake for PI000000001 (100.01 came, 100.00 was due)',
    ],
  ],
  [
    'runs out with a part paid',
    () => reported(payin(), { outcome: 'timed_out', reason: 'late', payments: [pay('P1', '40.00')] }),
    [
      '2 processing > partial_paid: part_paid by channel:fake (40.00 came)',
      '3 partial_paid > timeout: unpaid by channel:fake (late)',
      'payin_part channel:fake > suspense 40.00 for PI000000001',
      'part P1 40.00 by fake for PI000000001',
      'case parts_of_unpaid null 40.00 by fake for PI000000001 (40.00 of 100.00 came before the order ended timeout)',
    ],
  ],
  [
    'is paid under one reference with two amounts',
    () => reported(payin(), part(pay('P1', '40.00')), part(pay('P1', '41.00'))),
    [
      '2 processing > partial_paid: part_paid by channel:fake (40.00 came)',
      'payin_part channel:fake > suspense 40.00 for PI000000001',
      'part P1 40.00 by fake for PI000000001',
      'case contradiction null 100.00 by fake for PI000000001 (P1 was 40.00 before and is 41.00 now)',
    ],
  ],
  [
    'has more confirmed than was due',
    () => confirm(manual(), '120.00'),
    [
      '2 created > completed: paid by operator:ann (null)',
      'payin channel:fake > available 97.50 for PI000000001',
      'payin_fee channel:fake > fee_revenue 2.50 for PI000000001',
      'suspense_in channel:fake > suspense 20.00 for PI000000001',
      'credited P1 120.00 by fake for PI000000001',
      'case wrong_amount P1 20.00 by fake for PI000000001 (120.00 came, 100.00 was due)',
      'PAYIN 97.50 0.00 for PI000000001 M-1 (null, null)',
      'confirmFunds of PI000000001 by ann and null: seen',
    ],
  ],
  [
    'has a part and more than the rest confirmed',
    () => confirm(confirm(manual(), '30.00'), '80.00', 'P2'),
    [
      '2 created > partial_paid: part_paid by operator:ann (30.00 came)',
      '3 partial_paid > completed: paid by operator:ann (null)',
      'payin_part channel:fake > suspense 30.00 for PI000000001',
      'payin_part channel:fake > suspense 70.00 for PI000000001',
      'payin_parts_credited suspense > available 97.50 for PI000000001',
      'payin_fee suspense > fee_revenue 2.50 for PI000000001',
      'suspense_in channel:fake > suspense 10.00 for PI000000001',
      'part P1 30.00 by fake for PI000000001',
      'credited P2 80.00 by fake for PI000000001',
      'case wrong_amount P2 10.00 by fake for PI000000001 (80.00 came, 70.00 was due)',
      'PAYIN 97.50 0.00 for PI000000001 M-1 (null, null)',
      'confirmFunds of PI000000001 by ann and null: seen',
      'confirmFunds of PI000000001 by ann and null: seen',
    ],
  ],
  [
    'is called paid without a payment after its end',
    () => reported(payin(), failed, paid()),
    [
      '2 processing > failed: channel_failed by channel:fake (no)',
      'case contradiction null 100.00 by fake for PI000000001 (paid (paid) after failed)',
    ],
  ],
])('a payin that %s', (_, story, rows) => {
  expect(story().refusal).toBeNull();
  expect(inFull(story())).toEqual(rows);
});
