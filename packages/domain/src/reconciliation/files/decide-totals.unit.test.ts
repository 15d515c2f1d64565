import { expect, test } from 'vitest';
import type { StatementLine, StatementSummary } from '../statement.ts';
import {
  addRow,
  checkedRow,
  decimalText,
  noRows,
  problemOfFile,
  problemOfLine,
  problemOfSize,
  uncountedSum,
} from './decide-totals.ts';

const line = (changes: Partial<StatementLine> = {}): StatementLine => ({
  lineNo: 1,
  part: 0,
  type: 'payin',
  direction: 'in',
  gross: '100.00',
  fee: '2.00',
  tax: '0.36',
  net: '97.64',
  currency: 'INR',
  occurredAt: null,
  bookedOn: '2026-11-20',
  channelRef: null,
  orderNo: null,
  bankRef: null,
  settlementRef: null,
  balanceAfter: null,
  ...changes,
});
const summaryOf = (changes: Partial<StatementSummary> = {}): StatementSummary => ({
  account: null,
  currency: null,
  from: null,
  to: null,
  opening: null,
  closing: null,
  lines: null,
  totalIn: null,
  totalOut: null,
  ...changes,
});
const totalsOf = (lines: StatementLine[], summaries: StatementSummary[], unparsed = 0) => {
  const rows = [
    ...lines.map((one, i) => ({ kind: 'line', line: { ...one, lineNo: one.part === 0 ? i + 1 : i } }) as const),
    ...summaries.map((summary) => ({ kind: 'summary', summary }) as const),
    ...[...Array(unparsed)].map((_, i) => ({ kind: 'unparsed', lineNo: lines.length + i + 1, reason: 'x' }) as const),
  ];
  return rows.reduce((totals, row) => addRow(totals, row, 'INR'), noRows);
};
const expected = { currency: 'INR', account: 'A', others: [], beginsOn: '2026-11-01', today: '2026-11-28' };
const problem = (lines: StatementLine[], summary: Partial<StatementSummary>, unparsed = 0) =>
  problemOfFile(totalsOf(lines, [summaryOf(summary)], unparsed), expected);

test('a file whose totals, balances and lines agree has no problem', () => {
  const out = line({ direction: 'out', gross: '50.00', net: '52.36' });
  const summary = {
    account: 'A',
    currency: 'INR',
    opening: '-10.00',
    closing: '35.28',
    lines: 2,
    totalIn: '97.64',
    totalOut: '52.36',
  };
  expect(problem([line(), out], summary)).toBeNull();
});

test.each<[string, Partial<StatementSummary>, string]>([
  ['another currency', { currency: 'PKR' }, 'is in PKR'],
  ['another account', { account: 'B' }, 'another account'],
  ['another number of lines', { lines: 2 }, 'says that it has 2 lines, and has 1'],
  ['another total that came in', { totalIn: '97.65' }, 'says that 97.65 came in, its lines say 97.64'],
  ['another total that left', { totalOut: '0.01' }, 'says that 0.01 left'],
  ['another closing balance', { opening: '1.00', closing: '98.65' }, 'closes with 98.65'],
  ['more than 400 days', { from: '2026-11-01', to: '2027-12-31' }, 'covers more than 400 days'],
  ['a day before the reconciliation begins', { from: '2026-10-31' }, 'begins on 2026-10-31'],
])('a file with %s is refused', (_, summary, reason) => {
  expect(problem([line()], summary)).toContain(reason);
});

test('several parts of a row count as one line', () => {
  const part = line({ part: 1, type: 'fee', gross: '0.24', fee: '0.00', tax: '0.00', net: '0.24' });
  expect(problem([line(), part, line()], { lines: 2, totalIn: '195.52' })).toBeNull();
});

test.each<Partial<StatementSummary>>([
  { account: '' },
  { account: 'x'.repeat(129) },
  { account: 'A\u0000' },
  { closing: '1' },
  { lines: 1.5 },
])('a file whose summary has %o is refused', (summary) => {
  expect(problem([line()], summary)).toBe('has a summary whose account, count or amounts are none');
});

test('a file without lines must name the day on which nothing happened', () => {
  expect(problem([], {})).toBe('has no lines and names no day');
  expect(problem([], { from: '2026-11-20', to: '2026-11-20', lines: 0 })).toBeNull();
});

test('if a row cannot be read, sums are not compared, but the number of rows is', () => {
  expect(problem([line()], { totalIn: '1.00', lines: 2 }, 1)).toBeNull();
  expect(problem([line()], { lines: 1 }, 1)).toContain('says that it has 1 lines, and has 2');
});

test('the amount of unreadable rows is the difference between the lines and the balances or totals', () => {
  const missing = (summary: Partial<StatementSummary>, unparsed = 1) =>
    uncountedSum(totalsOf([line()], [summaryOf(summary)], unparsed));
  expect(missing({ opening: '10.00', closing: '100.00' })).toBe(-764n);
  expect(missing({ totalIn: '197.64', totalOut: '0.00' })).toBe(10_000n);
  expect(missing({ closing: '100.00' })).toBeNull();
  expect(missing({ opening: '10.00', closing: '100.00' }, 0)).toBeNull();
});

test('lines in another currency are in no sum, and what they changed in the balance is their amount', () => {
  const foreign = line({ currency: 'USD', gross: '9.00', fee: '0.00', tax: '0.00', net: '9.00' });
  const balances = { opening: '10.00', closing: '850.00', lines: 2 };
  const totals = totalsOf([line(), foreign], [summaryOf(balances)]);
  expect(totals).toMatchObject({ lines: 2, foreign: 1, netIn: 9_764n });
  expect(problemOfFile(totals, expected)).toBeNull();
  expect(uncountedSum(totals)).toBe(74_236n);
});

test('several summaries are compared by their sums', () => {
  const two = totalsOf([line(), line()], [summaryOf({ totalIn: '97.64' }), summaryOf({ totalIn: '97.64' })]);
  expect(problemOfFile(two, expected)).toBeNull();
});

test('a file that ends after today is refused', () => {
  expect(problem([line()], { from: '2026-11-01', to: '2026-11-28' })).toBeNull();
  expect(problem([line()], { from: '2026-11-01', to: '2026-11-29' })).toBe(
    'says that it ends on 2026-11-29, which is after today',
  );
});

test('a thousand rows that cannot be read are a wrong format', () => {
  expect(problemOfSize({ ...noRows, unparsed: 1_000 })).toBeNull();
  expect(problemOfSize({ ...noRows, unparsed: 1_001 })).toContain('is the format right?');
  expect(problemOfSize({ ...noRows, foreign: 1_001 })).toContain('is it the right account?');
  expect(problemOfSize({ ...noRows, lines: 2_000_001 })).toContain('more than 2000000 lines');
});

test.each<[string, Partial<StatementLine>]>([
  ['an amount is invalid', { gross: '1,00' }],
  ['an amount is invalid', { fee: '-1.00' }],
  ['an amount is invalid', { net: '1' }],
  ['the balance is invalid', { balanceAfter: 'x' }],
  ['the day is invalid', { bookedOn: '2026-02-30' }],
  ['its day is after today', { bookedOn: '2026-11-29' }],
  ['the currency is not a three-letter code', { currency: 'inr' }],
  ['a reference is empty, too long, or no text', { channelRef: '' }],
  ['a reference is empty, too long, or no text', { bankRef: 'x'.repeat(129) }],
  ['gross, fee, tax and net do not add up', { net: '97.65' }],
  ['its type is of the other direction', { direction: 'out' }],
  ['gross, fee, tax and net do not add up', { type: 'refund', direction: 'out' }],
])('a line is set aside: %s', (reason, changes) => {
  expect(problemOfLine(line(changes), '2026-11-28')).toBe(reason);
  expect(checkedRow({ kind: 'line', line: line({ lineNo: 7, ...changes }) }, '2026-11-28')).toEqual({
    kind: 'unparsed',
    lineNo: 7,
    reason,
  });
});

test('a line whose amounts add up is accepted, also if the fee is above the amount', () => {
  expect(problemOfLine(line(), '2026-11-28')).toBeNull();
  expect(problemOfLine(line({ gross: '1.00', net: '-1.36', balanceAfter: '-5.00' }), '2026-11-28')).toBeNull();
});

test.each([
  [0n, '0.00'],
  [5n, '0.05'],
  [-5n, '-0.05'],
  [12_345n, '123.45'],
])('%s minor units are %s', (minor, text) => {
  expect(decimalText(minor)).toBe(text);
});
