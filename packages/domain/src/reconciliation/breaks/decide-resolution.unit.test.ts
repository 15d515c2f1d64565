import { expect, test } from 'vitest';
import type { Decided } from '../missing-credits/bearers.ts';
import type { BreakKind } from '../types.ts';
import { type BreakOutcome, outcomesOf, resolutionOf } from './decide-resolution.ts';

const none = { missing: '0.00', left: '0.00' };

const found = (kind: BreakKind, amount: string, channelId = 'a') => ({ kind, amount, channelId });
const alone = (
  kind: BreakKind,
  amount: string,
  outcome: BreakOutcome,
  lineType: 'payin' | 'fee' | 'settlement' | null = null,
) => resolutionOf(found(kind, amount), outcome, { lineType, other: null, credit: none, decided: [], isAnswer: false });
const post = (debit: string, credit: string, amount: string) => ({
  type: 'post',
  postings: [{ debit, credit, amount }],
  charge: null,
  writtenOff: expect.any(String),
  account: expect.any(String),
});
const decision = { isOwn: true, writtenOff: '0.00', charged: '0.00', account: 'variance:a' } as const;

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
    expect(alone(kind, '0.00', 'written_off')).toEqual({
      type: 'post',
      postings: [],
      charge: null,
      writtenOff: '0.00',
      account: 'variance:a',
    });
  }
});

const ctx = (left: string, decided: readonly Decided[] = []): Parameters<typeof resolutionOf>[2] => ({
  lineType: null,
  other: null,
  credit: { missing: left === '0.00' ? left : '100.00', left },
  decided,
  isAnswer: false,
});

test('two breaks can be linked if their amounts cancel out, and a repeated line or a wrong balance can be linked alone', () => {
  const link = (one: ReturnType<typeof found>, other: ReturnType<typeof found> | null) =>
    resolutionOf(one, 'linked', { ...ctx('0.00'), other });
  const missing = found('missing_at_channel', '-10.00');
  expect(link(found('missing_in_ledger', '10.00'), missing)).toEqual({ type: 'link' });
  expect(link(found('duplicate', '10.00'), null)).toEqual({ type: 'link' });
  expect(link(found('balance', '10.00'), null)).toEqual({ type: 'link' });
  expect(link(found('missing_in_ledger', '10.01'), missing)).toBeNull();
  expect(link(found('missing_in_ledger', '10.00', 'b'), missing)).toBeNull();
  expect(link(found('missing_in_ledger', '10.00'), null)).toBeNull();
  expect(link(found('unparsed', '0.00'), found('unparsed', '0.00'))).toBeNull();
  expect(resolutionOf(found('fee', '-1.00'), 'posted', { ...ctx('0.00'), other: missing })).toBeNull();
});

test.each([
  ['missing_in_ledger', '10.00', ['linked', 'posted', 'written_off']],
  ['duplicate', '10.00', ['linked', 'posted', 'written_off']],
  ['balance', '-10.00', ['linked', 'posted', 'written_off']],
  ['amount', '0.00', ['posted', 'written_off']],
  ['currency', '-10.00', ['written_off']],
  ['unparsed', '5.00', ['written_off']],
] as const)('an open break of the kind %s with the amount %s can be ended by %s', (kind, amount, outcomes) => {
  expect(outcomesOf({ ...found(kind, amount), state: 'open' }, false)).toEqual(outcomes);
  expect(outcomesOf({ ...found(kind, amount), state: 'posting' }, false)).toEqual([]);
});

test('what answers an ended break is posted to the account of that break, and enters no report', () => {
  const answers = (kind: BreakKind, amount: string, ended: Decided) =>
    resolutionOf(found(kind, amount), 'posted', { ...ctx('0.00', [ended]), lineType: 'payin', isAnswer: true });
  const posted = (amount: string): Decided => ({ ...decision, amount });
  const writtenOff = (amount: string): Decided => ({ ...posted(amount), writtenOff: amount });
  expect(answers('missing_in_ledger', '10.00', posted('-10.00'))).toEqual(post('channel:a', 'variance:a', '10.00'));
  expect(answers('status', '9.00', writtenOff('-9.00'))).toEqual(post('channel:a', 'written_off:a', '9.00'));
  expect(answers('missing_at_channel', '-10.00', writtenOff('10.00'))).toEqual(
    post('written_off:a', 'channel:a', '10.00'),
  );
});

test('what changes a line that a decision explained goes to the account of the first decision', () => {
  const before: Decided = { ...decision, amount: '-100.00', account: 'external' };
  expect(resolutionOf(found('missing_at_channel', '100.00'), 'posted', ctx('0.00', [before]))).toEqual(
    post('channel:a', 'external', '100.00'),
  );
  expect(resolutionOf(found('amount', '10.00'), 'written_off', ctx('0.00', [before]))).toEqual(
    post('channel:a', 'written_off:a', '10.00'),
  );
});

const transfer = (debit: string, credit: string, amount: string) => ({ debit, credit, amount });

test('a merchant is charged what its wallet was credited, and the platform bears the fee', () => {
  const missing = found('missing_at_channel', '-100.00');
  const charged = {
    type: 'post',
    postings: [transfer('external', 'channel:a', '97.50'), transfer('written_off:a', 'channel:a', '2.50')],
    charge: '97.50',
    writtenOff: '-2.50',
    account: 'variance:a',
  };
  expect(resolutionOf(missing, 'charged', ctx('97.50'))).toEqual(charged);
  expect(resolutionOf(missing, 'charged', ctx('0.00'))).toBeNull();
  // Its line came after all.
  const ended: Decided = { ...decision, amount: '-100.00', writtenOff: '-2.50', charged: '-97.50' };
  expect(
    resolutionOf(found('missing_in_ledger', '100.00'), 'posted', { ...ctx('0.00', [ended]), isAnswer: true }),
  ).toEqual({
    type: 'post',
    postings: [transfer('channel:a', 'external', '97.50'), transfer('channel:a', 'written_off:a', '2.50')],
    charge: '-97.50',
    writtenOff: '2.50',
    account: 'variance:a',
  });
});

test('a break over more than is missing charges what is missing, and the rest takes back what was posted too much', () => {
  const tooMuch: Decided = { ...decision, amount: '10.00' };
  expect(
    resolutionOf(found('amount', '-30.00'), 'charged', {
      ...ctx('97.50', [tooMuch]),
      credit: { missing: '20.00', left: '97.50' },
    }),
  ).toMatchObject({
    postings: [transfer('external', 'channel:a', '20.00'), transfer('variance:a', 'channel:a', '10.00')],
    charge: '20.00',
  });
});

test('money that was posted as missing can be borne later, and nothing else that was posted', () => {
  const posted = { ...found('missing_at_channel', '-100.00'), state: 'posted' } as const;
  const undone = transfer('channel:a', 'variance:a', '100.00');
  const itself: Decided = { ...decision, amount: '-100.00' };
  expect(resolutionOf(posted, 'written_off', ctx('97.50', [itself]))).toEqual({
    type: 'post',
    postings: [undone, transfer('written_off:a', 'channel:a', '100.00')],
    charge: null,
    writtenOff: '-100.00',
    account: 'variance:a',
  });
  expect(resolutionOf(posted, 'charged', ctx('97.50', [itself]))).toMatchObject({
    postings: [undone, {}, {}],
    charge: '97.50',
  });
  expect(resolutionOf(posted, 'posted', ctx('97.50'))).toBeNull();
  expect(resolutionOf(posted, 'written_off', ctx('0.00'))).toBeNull();
  expect(outcomesOf(posted, true)).toEqual(['written_off', 'charged']);
  expect(outcomesOf(posted, false)).toEqual([]);
  expect(outcomesOf({ ...posted, state: 'open' }, true)).toContain('charged');
});
