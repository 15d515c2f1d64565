import { expect, test } from 'vitest';
import type { BreakDetail } from './break-detail.ts';
import { effectOf, opposite, possibleOutcomes } from './resolution.ts';

const found = (change: object) =>
  ({
    channelId: 'acme',
    kind: 'AMOUNT',
    decidedAt: null,
    line: null,
    answers: null,
    names: null,
    ...change,
  }) as BreakDetail;

test('the suggested resolution is linking for a repeated line or a wrong balance, and posting for other breaks', () => {
  const all = ['LINKED', 'POSTED', 'WRITTEN_OFF'] as const;
  expect(possibleOutcomes({ kind: 'AMOUNT', outcomes: [...all] })).toEqual(['POSTED', 'LINKED', 'WRITTEN_OFF']);
  expect(possibleOutcomes({ kind: 'DUPLICATE', outcomes: [...all] })).toEqual(['LINKED', 'POSTED', 'WRITTEN_OFF']);
  expect(possibleOutcomes({ kind: 'BALANCE', outcomes: [...all] })).toEqual(['LINKED', 'POSTED', 'WRITTEN_OFF']);
  expect(possibleOutcomes({ kind: 'UNPARSED', outcomes: ['WRITTEN_OFF'] })).toEqual(['WRITTEN_OFF']);
});

test.each([
  ['POSTED', {}, 'variance:acme'],
  ['POSTED', { amount: '30.00', expectation: { merchantId: 'PK-7' } }, 'goes back to those who bear'],
  ['POSTED', { amount: '-30.00', expectation: { merchantId: 'PK-7' } }, 'variance:acme'],
  ['POSTED', { kind: 'FEE' }, 'channel_fee:acme'],
  ['POSTED', { kind: 'MISSING_IN_LEDGER', line: { type: 'settlement' } }, 'external'],
  ['POSTED', { kind: 'MISSING_IN_LEDGER', line: { type: 'payin' } }, 'as if acme had reported it'],
  [
    'POSTED',
    { kind: 'MISSING_IN_LEDGER', line: { type: 'payout' }, names: 'STAB12000001' },
    'recorded of STAB12000001',
  ],
  // This break was decided once before, and then the ledger already had the payment.
  [
    'POSTED',
    { kind: 'MISSING_IN_LEDGER', line: { type: 'payin' }, decidedAt: '2026-11-22T00:00:00Z' },
    'variance:acme',
  ],
  ['POSTED', { kind: 'MISSING_IN_LEDGER', line: { type: 'payin' }, answers: 7 }, 'takes back what break 7'],
  ['WRITTEN_OFF', { kind: 'FEE' }, 'written_off:acme'],
  ['CHARGED', { kind: 'MISSING_AT_CHANNEL' }, 'The wallet of the merchant pays back'],
  ['CHARGED', { kind: 'MISSING_AT_CHANNEL', creditedTo: 'PK-7' }, 'The wallet of PK-7 pays back'],
  ['LINKED', {}, 'No money moves'],
  ['LINKED', { kind: 'BALANCE', state: 'POSTED' }, 'takes the posting back'],
] as const)('the resolution %s of %o shows where the money goes', (outcome, change, text) => {
  expect(effectOf(outcome, found(change))).toContain(text);
});

test('two amounts with opposite signs cancel each other out', () => {
  expect(['-5.00', '5.00'].map(opposite)).toEqual(['5.00', '-5.00']);
});
