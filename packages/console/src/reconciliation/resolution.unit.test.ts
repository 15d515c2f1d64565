import { expect, test } from 'vitest';
import type { BreakDetail } from './break-detail.ts';
import { effectOf, opposite, possibleOutcomes } from './resolution.ts';

const found = (change: object) =>
  ({ channelId: 'acme', kind: 'AMOUNT', decidedAt: null, line: null, ...change }) as BreakDetail;

test('the suggested resolution is linking for a repeated line, and posting for other breaks', () => {
  const all = ['LINKED', 'POSTED', 'WRITTEN_OFF'] as const;
  expect(possibleOutcomes({ kind: 'AMOUNT', outcomes: [...all] })).toEqual(['POSTED', 'LINKED', 'WRITTEN_OFF']);
  expect(possibleOutcomes({ kind: 'DUPLICATE', outcomes: [...all] })).toEqual(['LINKED', 'POSTED', 'WRITTEN_OFF']);
  expect(possibleOutcomes({ kind: 'UNPARSED', outcomes: ['WRITTEN_OFF'] })).toEqual(['WRITTEN_OFF']);
});

test.each([
  ['POSTED', {}, 'variance:acme'],
  ['POSTED', { kind: 'FEE' }, 'channel_fee:acme'],
  ['POSTED', { kind: 'MISSING_IN_LEDGER', line: { type: 'settlement' } }, 'external'],
  ['POSTED', { kind: 'MISSING_IN_LEDGER', line: { type: 'payin' } }, 'as if acme had reported it'],
  // This break was decided once before, and then the ledger already had the payment.
  [
    'POSTED',
    { kind: 'MISSING_IN_LEDGER', line: { type: 'payin' }, decidedAt: '2026-11-22T00:00:00Z' },
    'variance:acme',
  ],
  ['WRITTEN_OFF', { kind: 'FEE' }, 'written_off:acme'],
  ['LINKED', {}, 'No money moves'],
] as const)('the resolution %s of %o shows where the money goes', (outcome, change, text) => {
  expect(effectOf(outcome, found(change))).toContain(text);
});

test('two amounts with opposite signs cancel each other out', () => {
  expect(['-5.00', '5.00'].map(opposite)).toEqual(['5.00', '-5.00']);
});
