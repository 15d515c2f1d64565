import type { CsvProfile } from '@tidegate/domain/reconciliation';
import { expect, test } from 'vitest';
import { formatOf, readAll } from '../testing/read-all.ts';

// What banks and spreadsheets do to amounts, cells and rows.

const format = formatOf('csv');
const bank: CsvProfile = {
  name: 'bank',
  version: 1,
  encoding: 'utf-8',
  delimiter: ',',
  preambleRows: 3,
  trailerRows: 0,
  decimalSign: '.',
  dateFormat: 'dd/MM/yyyy',
  columns: { date: 'Date', gross: 'Amount', bankRef: 'Ref' },
  direction: { by: 'sign' },
  types: {},
};
const india = { currency: 'INR', timeZone: 'Asia/Kolkata' };
const read = (rows: readonly string[], profile: Partial<CsvProfile> = {}, account = india) =>
  readAll(format, rows.join('\r\n'), { ...account, profile: { ...bank, ...profile } });
const readAmount = (amount: string, profile: Partial<CsvProfile> = {}) =>
  read(['Date,Amount,Ref', `01/11/2026,"${amount}",R1`], profile);

test.each([
  ['5.00 DR', 'out', '5.00'],
  ['5.00Cr', 'in', '5.00'],
  ['1,23,456.00(Dr)', 'out', '123456.00'],
  ['5.00 Cr.', 'in', '5.00'],
  ['(5.00)', 'out', '5.00'],
  ['5.00-', 'out', '5.00'],
  ['5.00+', 'in', '5.00'],
  ['\u22125.00', 'out', '5.00'],
  ['\u20b95.00', 'in', '5.00'],
  ['-\u20b9 5.00', 'out', '5.00'],
  ['(Rs. 5.00)', 'out', '5.00'],
  ['5.00 INR', 'in', '5.00'],
  ['5.0000', 'in', '5.00'],
  ['=""5.00""', 'in', '5.00'],
])('the amount %s is money %s: %s', async (amount, direction, gross) => {
  expect((await readAmount(amount)).lines).toMatchObject([{ direction, gross }]);
});

test.each([
  ['-5.00 Dr', 'gross has two signs'],
  ['(-5.00)', 'gross has two signs'],
  ['$5.00', 'gross is not an amount'],
  ['PKR 5.00', 'gross is not an amount'],
  ['5.000', 'gross has more than two decimals'],
  ['5.0010', 'gross has more than two decimals'],
  ['Dr', 'gross is not an amount'],
  ['1.2E+5', 'a spreadsheet has damaged gross'],
])('a row with the amount %s is set aside: %s', async (amount, reason) => {
  expect((await readAmount(amount)).unparsed).toEqual([{ lineNo: 2, reason }]);
});

test('three decimals are no thousands of another decimal sign', async () => {
  expect((await readAmount('5,000', { decimalSign: ',' })).unparsed).toHaveLength(1);
  expect((await readAmount('5,0000', { decimalSign: ',' })).lines).toMatchObject([{ gross: '5.00' }]);
});

test('each cell may be guarded against spreadsheets', async () => {
  const rows = ['Date,Amount,Ref', '`01/11/2026,`5.00,`R1', '"=""01/11/2026""","=""6.00""","=""R2"""'];
  expect((await read(rows)).lines).toMatchObject([
    { bookedOn: '2026-11-01', gross: '5.00', bankRef: 'R1' },
    { bookedOn: '2026-11-01', gross: '6.00', bankRef: 'R2' },
  ]);
});

test.each([
  ['0000612345678901', '612345678901'],
  ['0612345678901234', '0612345678901234'],
  ['000061234567890', '000061234567890'],
])('the bank reference %s is kept as %s', async (ref, bankRef) => {
  expect((await read(['Date,Amount,Ref', `01/11/2026,5.00,${ref}`])).lines).toMatchObject([{ bankRef }]);
});

test('a name of a column may have a line break', async () => {
  const columns = { ...bank.columns, gross: 'Amount (INR)' };
  expect((await read(['Date,"Amount\n(INR)",Ref', '01/11/2026,5.00,R1'], { columns })).lines).toHaveLength(1);
});

test('a dash in one of two columns is no amount', async () => {
  const columns = { date: 'Date', out: 'Withdrawal', in: 'Deposit', bankRef: 'Ref' };
  const rows = ['Date,Withdrawal,Deposit,Ref', '01/11/2026,-,5.00,R1'];
  expect((await read(rows, { columns, direction: { by: 'columns' } })).lines).toMatchObject([{ direction: 'in' }]);
});

const twoColumns = {
  columns: { date: 'Date', out: 'Withdrawal', in: 'Deposit', balanceAfter: 'Balance', bankRef: 'Ref' },
  direction: { by: 'columns' },
} as const;
const header = 'Date,Text,Withdrawal,Deposit,Balance,Ref';
const moved = ['01/11/2026,x,,50.00,1050.00 Cr,R1', '02/11/2026,x,20.00,-,1030.00 Cr,R2'];
const opening = ',Beginning Balance,,,1000.00,';
const closing = ',Ending Balance,-,-,1030.00,';

test.each([
  ['the oldest first', [opening, ...moved, closing]],
  ['the newest first', [closing, ...moved.toReversed(), opening]],
  ['on two pages', [opening, moved[0] ?? '', ',Carried forward,,,1050.00,', moved[1] ?? '']],
])('rows that only repeat a balance are no lines, with %s', async (_what, rows) => {
  const { lines, unparsed, summaries } = await read([header, ...rows], twoColumns);
  expect(unparsed).toEqual([]);
  expect(lines.map(({ gross, direction }) => `${direction} ${gross}`).toSorted()).toEqual(['in 50.00', 'out 20.00']);
  expect(summaries).toMatchObject([{ opening: '1000.00', closing: '1030.00' }]);
});

test('a day without movements has the balance of its only row', async () => {
  const { lines, summaries } = await read([header, opening], twoColumns);
  expect([lines, summaries]).toMatchObject([[], [{ opening: '1000.00', closing: '1000.00' }]]);
});

test.each([
  ['with another balance', ',x,,,1049.00,'],
  ['with a reference', '01/11/2026,x,,,1050.00,R9'],
])('a row without an amount %s is set aside', async (_what, row) => {
  const { unparsed } = await read([header, moved[0] ?? '', row], twoColumns);
  expect(unparsed).toMatchObject([{ lineNo: 3, reason: 'a row has an amount in one of two columns' }]);
});

test('rows of a file that has no column for references are lines, with our number if their text has it', async () => {
  const columns = { date: 'Date', gross: 'Amount', text: 'Details' };
  const rows = ['01/11/2026,5.00,From A PI0KQ3Z4M9XABCD0123456789AB', '01/11/2026,6.00,From B'];
  expect((await read(['Date,Amount,Details', ...rows], { columns })).lines).toMatchObject([
    { gross: '5.00', orderNo: 'PI0KQ3Z4M9XABCD0123456789AB' },
    { gross: '6.00', orderNo: null, bankRef: null },
  ]);
});
