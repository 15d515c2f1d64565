import { expect, test } from 'vitest';
import { all, given } from '../testing/given.ts';
import { aWallet } from '../testing/on-paper.ts';
import type { BookUnmatched } from './commands.ts';

test('money of two channels for one unknown order is booked once for each, even with the same reference', () => {
  const reported = (channelId: string, direction: BookUnmatched['direction']): BookUnmatched => ({
    type: 'bookUnmatched',
    merchantId: 'IN-1',
    channelId,
    orderNo: 'PO1',
    reference: 'r'.repeat(128),
    amount: '7.00',
    direction,
  });
  let booked = given(aWallet('IN'));
  for (let again = 0; again < 3; again++)
    for (const channelId of ['one', 'two'])
      for (const direction of ['out', 'back'] as const) {
        booked = booked.when(reported(channelId, direction));
        expect(booked.refusal).toBeNull();
      }
  expect(all(booked.events, 'transfer').map(({ debit, credit, amount }) => `${debit} > ${credit} ${amount}`)).toEqual([
    'suspense > channel:one 7.00',
    'channel:one > suspense 7.00',
    'suspense > channel:two 7.00',
    'channel:two > suspense 7.00',
  ]);
  expect(all(booked.events, 'opened')).toHaveLength(4);
  const payments = all(booked.events, 'payment');
  expect(new Set(payments.map(({ reference }) => reference)).size).toBe(1);
  expect(payments.map(({ seq, channelId, direction }) => `${seq} ${channelId} ${direction}`)).toEqual([
    '1 one out',
    '2 one back',
    '3 two out',
    '4 two back',
  ]);
  // Reported once more it changes nothing.
  booked.when(reported('two', 'back')).gives([]);
});
