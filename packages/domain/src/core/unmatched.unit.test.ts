import { expect, test } from 'vitest';
import { aDraft, at, aWallet, noon } from '../testing/on-paper.ts';
import type { BookUnmatched } from './commands.ts';
import { decide } from './decide.ts';

test('money of two channels for one unknown order is booked for each, once, though they use the same reference', () => {
  const draft = aDraft(aWallet('IN'));
  const said = (channelId: string, direction: BookUnmatched['direction']): void => {
    const money = {
      merchantId: 'IN-1',
      channelId,
      orderNo: 'PO1',
      reference: 'r'.repeat(128),
      amount: '7.00',
      direction,
    };
    expect(decide(draft, { type: 'bookUnmatched', ...money }, null, at(noon))).toBeNull();
  };
  for (let again = 0; again < 3; again++)
    for (const channelId of ['one', 'two'])
      for (const direction of ['out', 'back'] as const) said(channelId, direction);
  expect(draft.added.transfers.map(({ debit, credit, amount }) => `${debit} > ${credit} ${amount}`)).toEqual([
    ...['suspense > channel:one 7.00', 'channel:one > suspense 7.00'],
    ...['suspense > channel:two 7.00', 'channel:two > suspense 7.00'],
  ]);
  expect(draft.added.cases).toHaveLength(4);
  expect(new Set(draft.added.payments.map(({ reference }) => reference)).size).toBe(4);
  expect(draft.added.payments.every(({ reference }) => reference.length <= 128)).toBe(true);
});
