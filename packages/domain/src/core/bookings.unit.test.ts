import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { inFull } from '../testing/in-full.ts';
import { aWallet } from '../testing/on-paper.ts';
import type { BookUnmatched, BookWallet } from './commands.ts';
import type { Existing } from './state.ts';

// Every row that is written for money of no order: bookings against the bank, and what came in or went out for an order that is not ours.

const book = (entry: BookWallet['entry'], amount: string, more: Partial<BookWallet> = {}): Given => {
  const by = { actor: 'ann', approver: 'bob', reason: 'seen' };
  const booking = { entry, amount, bookingNo: 'B-1', remark: 'a remark', ...more, by };
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
  ...(
    [
      ['fee', undefined, 'fee_revenue'],
      ['variance', 'fake', 'variance:fake'],
      ['bank', undefined, 'external'],
      ['dispute', undefined, 'dispute'],
    ] as const
  ).map(([kind, channelId, account]): [string, () => Given, string[]] => [
    `an adjustment of the kind ${kind}`,
    () => book('ADJUSTMENT', '2.50', { kind, ...(channelId && { channelId }) }),
    [
      `adjustment ${account} > available 2.50 for null`,
      'ADJUSTMENT 2.50 0.00 for null null (a remark, B-1)',
      'bookWallet of B-1 by ann and bob: seen',
    ],
  ]),
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
      'returned P1 7.00 by fake for PI9',
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
  ask('5.00', { entry: 'TOP_UP', amount: '5.00', counter: 'external' }).gives([]);
  ask('5.00', { entry: 'TOP_UP', amount: '6.00', counter: 'external' }).gives('booking_no_taken');
  ask('5.00', { entry: 'ADJUSTMENT', amount: '5.00', counter: 'external' }).gives('booking_no_taken');
});

test('an adjustment against a variance names its channel, and no other one does', () => {
  book('ADJUSTMENT', '1.00', { kind: 'variance' }).gives('channel_of_variance');
  book('ADJUSTMENT', '1.00', { kind: 'fee', channelId: 'fake' }).gives('channel_of_variance');
});

test('a booking number of another account is used for something else', () => {
  const existing = { orderNo: 'B-1', booked: { entry: 'ADJUSTMENT', amount: '5.00', counter: 'fee_revenue' } } as const;
  const again = (kind: BookWallet['kind']): Given =>
    given(aWallet('TH'), null, { existing }).when({
      type: 'bookWallet',
      merchantId: 'TH-1',
      entry: 'ADJUSTMENT',
      amount: '5.00',
      bookingNo: 'B-1',
      remark: 'r',
      ...(kind && { kind }),
      by: { actor: 'ann', approver: null, reason: 'seen' },
    });
  again('fee').gives([]);
  again('bank').gives('booking_no_taken');
});

const reverse = (
  booked: Existing['booked'] | null,
  {
    existing = null,
    approver = 'bob',
    reverses = 'B-1',
    available = '50.00',
  }: {
    existing?: Existing | null;
    approver?: string | null;
    reverses?: string;
    available?: string;
  } = {},
): Given =>
  given(aWallet('TH', { available }), null, { existing, reversed: booked ? { orderNo: reverses, booked } : null }).when(
    {
      type: 'reverseBooking',
      merchantId: 'TH-1',
      bookingNo: `REVERSAL/${reverses}`,
      reverses,
      remark: 'wrong',
      by: { actor: 'ann', approver, reason: 'seen' },
    },
  );

// biome-ignore format: a table is read by its columns
test.each<[string, NonNullable<Existing['booked']>, transfer: string, change: string]>([
  ['a top-up', { entry: 'TOP_UP', amount: '10.00', counter: 'external' }, 'available > external 10.00', '-10.00'],
  ['a settlement', { entry: 'SETTLEMENT', amount: '-10.00', counter: 'external' }, 'external > available 10.00', '10.00'],
  ['a fee that was given back', { entry: 'ADJUSTMENT', amount: '2.50', counter: 'fee_revenue' }, 'available > fee_revenue 2.50', '-2.50'],
])('the reversal of %s moves the opposite amount against the same account', (_, booked, transfer, change) => {
  const reversed = reverse(booked);
  expect(inFull(reversed)).toEqual([
    `adjustment ${transfer} for null`,
    `ADJUSTMENT ${change} 0.00 for null null (wrong, REVERSAL/B-1)`,
    'reverseBooking of REVERSAL/B-1 by ann and bob: seen',
  ]);
  expect(all(reversed.events, 'entry')).toMatchObject([{ corrects: 'B-1' }]);
});

test('a booking is reversed once, by two operators, and only one that operators made', () => {
  const booked = { entry: 'TOP_UP', amount: '10.00', counter: 'external' } as const;
  reverse(booked, { approver: null }).gives('second_operator_needed');
  reverse(booked, { approver: 'ann' }).gives('second_operator_needed');
  reverse(null).gives('booking_not_found');
  reverse(booked, { existing: { orderNo: 'REVERSAL/B-1', booked } }).gives('booking_reversed');
  for (const reverses of ['REVERSAL/B-1', 'CASE/TH-1/4', 'STTEST000001', 'STTEST000001-returned'])
    reverse(booked, { reverses }).gives('booking_not_reversible');
  reverse(booked, { available: '9.99' }).gives('balance_insufficient');
});

test('a booking that was taken back is not there any more: its number is no answer to a new booking', () => {
  const booked = { entry: 'TOP_UP', amount: '10.00', counter: 'external' } as const;
  const by = { actor: 'ann', approver: null, reason: 'seen' };
  const again = {
    type: 'bookWallet',
    merchantId: 'TH-1',
    entry: 'TOP_UP',
    amount: '10.00',
    bookingNo: 'B-1',
    remark: 'r',
    by,
  } as const;
  const existing = { orderNo: 'B-1', booked };
  given(aWallet('TH'), null, { existing }).when(again).gives([]);
  given(aWallet('TH'), null, { existing, isTakenBack: true }).when(again).gives('booking_reversed');
});

test('returned money keeps the whole reference of its payment, and its direction says that it came back', () => {
  const { events } = unmatched('back', 'r'.repeat(128));
  expect(all(events, 'payment')).toMatchObject([{ direction: 'back', reference: 'r'.repeat(128) }]);
  expect(all(events, 'opened')).toMatchObject([{ reference: 'r'.repeat(128) }]);
});
