import { expect, test } from 'vitest';
import { whyNone, wordOfPayment } from './money-words.ts';

const label = (
  kind: 'PAYIN' | 'PAYOUT',
  use: 'CREDITED' | 'RETURNED' | 'SUSPENSE',
  outcome: 'CREDITED' | 'HELD' | 'RETURNED',
) => wordOfPayment({ use, outcome }, kind).label;

test('what a payout paid and what came back of it do not have the same words', () => {
  expect(label('PAYOUT', 'CREDITED', 'CREDITED')).toBe('Paid to the payee');
  expect(label('PAYOUT', 'RETURNED', 'HELD')).toBe('Back, in suspense');
  expect(label('PAYOUT', 'RETURNED', 'CREDITED')).toBe('Back, credited to the merchant');
  expect(label('PAYOUT', 'RETURNED', 'RETURNED')).toBe('Back, and sent out again');
});

test('money of a payer is credited to the merchant or sent back to the payer', () => {
  expect(label('PAYIN', 'CREDITED', 'CREDITED')).toBe('Credited');
  expect(label('PAYIN', 'SUSPENSE', 'RETURNED')).toBe('Sent back');
});

test('an order that has ended without a notification promises none', () => {
  const notifyUrl = 'https://shop.example/notify';
  expect(whyNone({ notifyUrl, status: 'FAILED' })).toContain('not notified of this end');
  expect(whyNone({ notifyUrl, status: 'PROCESSING' })).toContain('once the order reaches');
  expect(whyNone({ notifyUrl: null, status: 'FAILED' })).toContain('no address');
});
