import type { CsvProfile } from '@tidegate/domain/reconciliation';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { formatOf, readAll } from '../testing/read-all.ts';
import { readCsvProfile } from './profile-schema.ts';
import { csvProfiles } from './profiles.ts';

const format = formatOf('csv');

const bank: CsvProfile = {
  name: 'bank',
  version: 1,
  encoding: 'utf-8',
  delimiter: ';',
  preambleRows: 3,
  trailerRows: 1,
  decimalSign: ',',
  dateFormat: 'dd.MM.yyyy',
  columns: { date: 'Date', gross: 'Amount', type: 'Type', bankRef: 'Reference', balanceAfter: 'Balance' },
  direction: { by: 'sign' },
  types: { transfer: { type: 'payin' }, charge: { type: 'fee' } },
  status: { column: 'State', money: ['done'], none: ['rejected'] },
};
const options = { currency: 'THB', timeZone: 'Asia/Bangkok', profile: bank };
const file = (...rows: string[]) =>
  ['My Bank', '', 'Date;State;Type;Amount;Reference;Balance', ...rows, 'Total;;;;;'].join('\r\n');

test('a CSV is read by its profile', async () => {
  const content = file(
    '01.11.2026;done;Transfer;1.234,50;R1;2.000,00',
    '02.11.2026;rejected;transfer;99,00;R2;',
    '02.11.2026;done;charge;-10,00;;1.990,00',
    '02.11.2026;done;new;"5,00";"R""3;";1.995,00',
  );
  const { lines, summaries, unparsed } = await readAll(format, content, options);
  expect(unparsed).toEqual([]);
  expect(lines).toMatchObject([
    { lineNo: 4, type: 'payin', direction: 'in', gross: '1234.50', bookedOn: '2026-11-01', occurredAt: null },
    { lineNo: 6, type: 'fee', direction: 'out', gross: '10.00', bankRef: null, balanceAfter: '1990.00' },
    { lineNo: 7, type: 'unknown', direction: 'in', gross: '5.00', bankRef: 'R"3;' },
  ]);
  expect(summaries).toMatchObject([{ opening: '765.50', closing: '1995.00' }]);
});

test.each([
  ['bankRef is longer than 128 characters', `01.11.2026;done;transfer;1,00;${'x'.repeat(129)};`],
  ['it has no reference', '01.11.2026;done;transfer;1,00;;'],
  ['gross has more than two decimals', '01.11.2026;done;transfer;1,005;R;'],
  ['gross is not an amount', '01.11.2026;done;transfer;1.23,00;R;'],
  ['gross is not an amount', '01.11.2026;done;transfer;1,00,00;R;'],
  ['gross is not an amount', '01.11.2026;done;transfer;;R;'],
  ['the date is not like dd.MM.yyyy', '2026-11-01;done;transfer;1,00;R;'],
  ['the date does not exist', '31.02.2026;done;transfer;1,00;R;'],
  ['another number of columns', '01.11.2026;done;transfer;1,00'],
  ['its quotes cannot be read', '01.11.2026;"a"b;transfer;1,00;R;'],
  ['its quotes cannot be read', '01.11.2026;"never closed;transfer;1,00;R;'],
  ['bankRef has characters that cannot be read', '01.11.2026;done;transfer;1,00;R\u0000;'],
])('only the bad row is set aside: %s', async (reason, row) => {
  const good = '01.11.2026;done;transfer;7,00;R9;';
  const { lines, unparsed } = await readAll(format, file(row, good), options);
  expect(unparsed).toEqual([{ lineNo: 4, reason }]);
  expect(lines).toMatchObject([{ lineNo: 5, gross: '7.00' }]);
});

test.each(['reversed', 'declined', ''])(
  'a row with the status "%s", which is in no list, is set aside alone',
  async (state) => {
    const content = file(`01.11.2026;${state};transfer;1,00;R1;`, '01.11.2026; DONE ;transfer;7,00;R9;');
    const { lines, unparsed } = await readAll(format, content, options);
    expect(unparsed).toEqual([{ lineNo: 4, reason: 'its status is not in the profile' }]);
    expect(lines).toMatchObject([{ lineNo: 5, gross: '7.00' }]);
  },
);

test('a quoted cell may have line breaks', async () => {
  const { lines } = await readAll(format, file('01.11.2026;done;"two\r\nlines";7,00;R9;'), options);
  expect(lines).toMatchObject([{ lineNo: 4, gross: '7.00' }]);
});

test('other encodings, a byte order mark and a time in a second column are read', async () => {
  const { balanceAfter: _, ...columns } = bank.columns;
  const status = { column: 'Type', money: ['transfer'], none: [] };
  const timed = { ...bank, status, dateFormat: 'dd MMM yy hh:mm a', columns: { ...columns, time: 'State' } };
  const content = file('1 Nov 26;12:05 AM;transfer;1,00;项目;');
  for (const encoding of ['gbk', 'utf-16le'] as const) {
    const profile: CsvProfile = { ...timed, encoding };
    const bytes = iconv.encode(content, encoding, { addBOM: encoding === 'utf-16le' });
    const { lines } = await readAll(format, bytes, { ...options, profile });
    expect(lines).toMatchObject([{ bankRef: '项目', occurredAt: Date.parse('2026-11-01T00:05:00+07:00') }]);
  }
});

test('rows whose references are in another encoding are set aside', async () => {
  const bytes = Buffer.concat([
    Buffer.from(file()),
    iconv.encode('\r\n01.11.2026;done;transfer;1,00;项目;\r\nTotal;', 'gbk'),
  ]);
  const { unparsed } = await readAll(format, bytes, { ...options, profile: { ...bank, trailerRows: 1 } });
  expect(unparsed.map(({ reason }) => reason)).toContain('bankRef has characters that cannot be read');
});

test.each([
  ['a file without the column names', 'Datum;Betrag\r\n1;2', options],
  ['an empty file', '', options],
  ['a CSV without a profile', file(), { currency: 'THB', timeZone: 'Asia/Bangkok' }],
])('%s is refused', async (_, content, given) => {
  await expect(readAll(format, content, given)).rejects.toMatchObject({ reason: 'other_format' });
});

test('every ready-made profile is valid and reads a row', async () => {
  for (const profile of csvProfiles) expect(readCsvProfile(JSON.parse(JSON.stringify(profile)))).toEqual(profile);
  const jazzcash = csvProfiles.find(({ name }) => name === 'jazzcash');
  if (!jazzcash) throw new Error('no profile jazzcash');
  const content = [
    'Transaction Reference Number,Transaction Date Time,Transaction Type,Transaction Status,Transaction Amount,Fee,Sales Tax,Currency,Retrieval Reference Number',
    'T2026,2026-11-01 10:00:00,Payment,Completed,"1,000.00",10.00,1.60,PKR,261101000001',
    'T2027,2026-11-01 10:00:00,Payment,Failed,"1,000.00",0,0,PKR,',
    'T2028,2026-11-01 10:00:00,Payment,Reversed,"1,000.00",0,0,PKR,',
  ].join('\n');
  const pakistan = { currency: 'PKR', timeZone: 'Asia/Karachi', profile: jazzcash };
  const { lines, unparsed } = await readAll(format, content, pakistan);
  expect(lines).toMatchObject([
    { type: 'payin', gross: '1000.00', fee: '10.00', tax: '1.60', net: '988.40', channelRef: 'T2026' },
  ]);
  expect(unparsed).toMatchObject([{ lineNo: 4 }]);
});

test.each([
  ['direction by columns needs both columns', { direction: { by: 'columns' } }],
  ['a date needs its year', { dateFormat: 'dd.MM' }],
  ['a column that does not exist', { columns: { ...bank.columns, colour: 'Colour' } }],
  ['a profile name with a path', { name: '../bank' }],
  ['a status without a word for money', { status: { column: 'State', money: [], none: ['rejected'] } }],
  ['a status with a word for both', { status: { column: 'State', money: ['done'], none: ['Done'] } }],
])('a profile is refused: %s', (_, change) => {
  expect(() => readCsvProfile({ ...bank, ...change })).toThrow('not a CSV profile');
});
