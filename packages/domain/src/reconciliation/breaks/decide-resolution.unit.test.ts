import { expect, test } from 'vitest';
import type { BreakKind } from '../types.ts';
import { type BreakOutcome, outcomesOf, resolutionOf } from './decide-resolution.ts';

const found = (kind: BreakKind, amount: string, channelId = 'a') => ({ kind, amount, channelId });
const alone = (
  kind: BreakKind,
  amount: string,
  outcome: BreakOutcome,
  lineType: 'payin' | 'fee' | 'settlement' | null = null,
) => resolutionOf(found(kind, amount), outcome, { lineType, other: null });
const post = (debit: string, credit: string, amount: string) => ({ type: 'post', posting: { debit, credit, amount } });

test('a surplus of the ledger is posted out of the account of the channel, and a shortage into it', () => {
  expect(alone('missing_at_channel', '-100.00', 'posted')).toEqual(post('variance:a', 'channel:a', '100.00'));
  expect(alone('amount', '0.05', 'posted')).toEqual(post('channel:a', 'variance:a', '0.05'));
  expect(alone('missing_at_channel', '-100.00', 'written_off')).toEqual(post('written_off:a', 'channel:a', '100.00'));
});

test('a second movement with a known reference is posted to the variance account', () => {
  expect(alone('duplicate', '10.00', 'posted', 'payin')).toEqual(post('channel:a', 'variance:a', '10.00'));
});

test('charges and settlements to the bank have their own accounts', () => {
  expect(alone('fee', '-2.36', 'posted')).toEqual(post('channel_fee:a', 'channel:a', '2.36'));
  expect(alone('missing_in_ledger', '-500.00', 'posted', 'settlement')).toEqual(
    post('external', 'channel:a', '500.00'),
  );
});

test.each<BreakKind>(['missing_in_ledger', 'status', 'late_reversal'])(
  'a payment that is missing in the ledger (%s) is posted as a channel report, or written off',
  (kind) => {
    expect(alone(kind, '10.00', 'posted', 'payin')).toEqual({ type: 'report' });
    expect(alone(kind, '10.00', 'written_off', 'payin')).toEqual(post('channel:a', 'written_off:a', '10.00'));
  },
);

test('a break without an amount in the country’s currency can only be written off', () => {
  for (const kind of ['unparsed', 'currency'] as const) {
    expect(alone(kind, '0.00', 'posted')).toBeNull();
    expect(alone(kind, '0.00', 'written_off')).toEqual({ type: 'post', posting: null });
  }
});

test('two breaks can be linked if their amounts cancel out, and a repeated line can be linked alone', () => {
  const link = (one: ReturnType<typeof found>, other: ReturnType<typeof found> | null) =>
    resolutionOf(one, 'linked', { lineType: null, other });
  const missing = found('missing_at_channel', '-10.00');
  expect(link(found('missing_in_ledger', '10.00'), missing)).toEqual({ type: 'link' });
  expect(link(found('duplicate', '10.00'), null)).toEqual({ type: 'link' });
  expect(link(found('missing_in_ledger', '10.01'), missing)).toBeNull();
  expect(link(found('missing_in_ledger', '10.00', 'b'), missing)).toBeNull();
  expect(link(found('missing_in_ledger', '10.00'), null)).toBeNull();
  expect(link(found('unparsed', '0.00'), found('unparsed', '0.00'))).toBeNull();
  expect(resolutionOf(found('fee', '-1.00'), 'posted', { lineType: null, other: missing })).toBeNull();
});

test.each([
  ['missing_in_ledger', '10.00', ['linked', 'posted', 'written_off']],
  ['duplicate', '10.00', ['linked', 'posted', 'written_off']],
  ['amount', '0.00', ['posted', 'written_off']],
  ['currency', '-10.00', ['written_off']],
  ['unparsed', '5.00', ['written_off']],
] as const)('an open break of the kind %s with the amount %s can be ended by %s', (kind, amount, outcomes) => {
  expect(outcomesOf({ ...found(kind, amount), state: 'open' })).toEqual(outcomes);
  expect(outcomesOf({ ...found(kind, amount), state: 'posting' })).toEqual([]);
});
