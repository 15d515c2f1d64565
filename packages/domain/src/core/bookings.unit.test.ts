import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { inFull } from '../testing/in-full.ts';
import { aWallet } from '../testing/on-paper.ts';
import type { BookUnmatched, BookWallet } from './commands.ts';
import type { Existing } from './state.ts';

// Every row that is written for money of no order: bookings against the bank, and what came in or went out for an order that is not ours.

const book = (entry: BookWallet['entry'], amount: string): Given => {
  const by = { actor: 'ann', approver: 'bob', reason: 'seen' };
  const booking = { entry, amount, bookingNo: 'B-1', remark: 'a remark', by };
  return given(aWallet('TH', { available: '50.00' })).when({ type: 'bookWallet', merchantId: 'TH-1', ...booking });
};
const unmatched = (direction: BookUnmatched['direction'], reference = 'P1'): Given => {
  const money = { merchantId: 'TH-1', channelId: 'fake', orderNo: 'PI9', reference, amount: '7.00', direction };
  return given(aWallet('TH')).when({ type: 'bookUnmatched', ...money });
};

test.each<[string, () => Given, string[]]>([
  [
    'a top-up',
    () => book('TOP_UP', '10.00'),
    [
      'top_up external > available 10.00 for null',
      'TOP_UP 10.00 0.00 for null null (a remark, B-1)',
      'bookWallet of B-1 by ann and bob: seen',
    ],
  ],
  [
    'a settlement',
    () => book('SETTLEMENT', '-10.00'),
    [
      'settlement available > external 10.00 for null',
      'SETTLEMENT -10.00 0.00 for null null (a remark, B-1)',
      'bookWallet of B-1 by ann and bob: seen',
    ],
  ],
  [
    'an adjustment',
    () => book('ADJUSTMENT', '-50.00'),
    [
      'adjustment available > external 50.00 for null',
      'ADJUSTMENT -50.00 0.00 for null null (a remark, B-1)',
      'bookWallet of B-1 by ann and bob: seen',
    ],
  ],
  [
    'money in',
    () => unmatched('in'),
    [
      'suspense_in channel:fake > suspense 7.00 for null',
      'suspense P1 7.00 by fake for PI9',
      'case unmatched P1 7.00 by fake for null (for an unknown order PI9)',
    ],
  ],
  [
    'money out',
    () => unmatched('out'),
    [
      'suspense_out suspense > channel:fake 7.00 for null',
      'unasked P1 7.00 by fake for PI9',
      'case payout_paid_again P1 7.00 by fake for null (paid out for an unknown order PI9)',
    ],
  ],
  [
    'money back',
    () => unmatched('back'),
    [
      'suspense_in channel:fake > suspense 7.00 for null',
      'returned P1/returned 7.00 by fake for PI9',
      'case payout_returned P1 7.00 by fake for null (returned by the bank for an unknown order PI9)',
    ],
  ],
])('%s writes exactly these rows', (_, story, rows) => {
  expect(story().refusal).toBeNull();
  expect(inFull(story())).toEqual(rows);
});

test('a booking above the balance, or with a used number, changes nothing', () => {
  const by = { actor: 'ann', approver: null, reason: 'seen' };
  const booking = {
    type: 'bookWallet',
    merchantId: 'TH-1',
    entry: 'TOP_UP',
    bookingNo: 'B-1',
    remark: 'r',
    by,
  } as const;
  const wallet = aWallet('TH', { available: '50.00' });
  const ask = (amount: string, booked?: Existing['booked']): Given =>
    given(wallet, null, { existing: booked ? { orderNo: 'B-1', booked } : null }).when({ ...booking, amount });
  ask('-50.01').gives('balance_insufficient');
  ask('5.00', { entry: 'TOP_UP', amount: '5.00' }).gives([]);
  ask('5.00', { entry: 'TOP_UP', amount: '6.00' }).gives('booking_no_taken');
  ask('5.00', { entry: 'ADJUSTMENT', amount: '5.00' }).gives('booking_no_taken');
});

test('the payment reference of returned money has a suffix, and is shortened to the maximum length', () => {
  const { events } = unmatched('back', 'r'.repeat(128));
  expect(all(events, 'payment')).toMatchObject([{ reference: `${'r'.repeat(118)}/returned` }]);
  expect(all(events, 'opened')).toMatchObject([{ reference: 'r'.repeat(128) }]);
});
