import { type CsvProfile, readCsvProfile } from '@tidegate/domain/reconciliation';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { formatOf, readAll } from '../testing/read-all.ts';
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
  for (const profile of csvProfiles) {
    const { version: _, ...settings } = profile;
    expect(readCsvProfile(JSON.parse(JSON.stringify(profile)))).toEqual(settings);
  }
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

const { balanceAfter: _, ...unbalanced } = bank.columns;
const { gross: __, ...columnsOfTwo } = unbalanced;
const inTwo: CsvProfile = {
  ...bank,
  columns: { ...columnsOfTwo, in: 'Credit', out: 'Debit' },
  direction: { by: 'columns' },
  trailerRows: 0,
};
const byWords: CsvProfile = {
  ...bank,
  columns: { ...unbalanced, direction: 'Mark' },
  direction: { by: 'words', in: ['C'], out: ['D'] },
  trailerRows: 0,
};
const byType: CsvProfile = {
  ...bank,
  columns: unbalanced,
  direction: { by: 'type' },
  types: { transfer: { type: 'payin', direction: 'in' }, refund: { type: 'refund', direction: 'out' } },
  trailerRows: 0,
};
const readWith = async (profile: CsvProfile, header: string, row: string) => {
  const { lines, unparsed } = await readAll(format, `${header}\n${row}`, { ...options, profile });
  return lines[0] ? `${lines[0].direction} ${lines[0].gross}` : unparsed[0]?.reason;
};
const inTwoColumns = 'Date;State;Type;Reference;Credit;Debit';
const withMark = 'Date;State;Type;Reference;Amount;Mark';
const withType = 'Date;State;Type;Reference;Amount';
const set = (column: string) => `${column} has a minus, and the profile does not say what it means there`;

test.each<[string, CsvProfile, string, string, string, string, string]>([
  ['in the column of credits', inTwo, inTwoColumns, 'transfer;R;-13,50;', set('in'), set('in'), 'out 13.50'],
  ['in the column of debits', inTwo, inTwoColumns, 'transfer;R;;-13,50', set('out'), 'out 13.50', 'in 13.50'],
  ['beside a C', byWords, withMark, 'transfer;R;-1.533,50;C', set('gross'), set('gross'), 'out 1533.50'],
  ['beside a D', byWords, withMark, 'transfer;R;-1.533,50;D', set('gross'), 'out 1533.50', 'in 1533.50'],
  ['of a type that comes in', byType, withType, 'transfer;R;-8,00', set('gross'), set('gross'), 'out 8.00'],
  ['of a type that leaves', byType, withType, 'refund;R;-8,00', set('gross'), 'out 8.00', 'in 8.00'],
])(
  'a minus %s is read as the profile says, and set aside if it does not say',
  async (_where, profile, header, row, unsaid, out, reversal) => {
    const line = `01.11.2026;done;${row}`;
    expect(await readWith(profile, header, line)).toBe(unsaid);
    expect(await readWith({ ...profile, negative: 'out' }, header, line)).toBe(out);
    expect(await readWith({ ...profile, negative: 'reversal' }, header, line)).toBe(reversal);
  },
);

test('a column of balances refuses a file whose minus was read in the wrong way', async () => {
  const profile: CsvProfile = { ...inTwo, columns: { ...inTwo.columns, balanceAfter: 'Balance' } };
  const rows = ['01.11.2026;done;transfer;R1;50,00;;150,00', '01.11.2026;done;transfer;R2;-13,50;;136,50'];
  const content = [`${inTwoColumns};Balance`, ...rows].join('\n');
  const read = (negative: 'out' | 'reversal', text: string) =>
    readAll(format, text, { ...options, profile: { ...profile, negative } });
  expect((await read('reversal', content)).summaries).toMatchObject([{ opening: '100.00', closing: '136.50' }]);
  const debits = content.replace('R2;-13,50;;', 'R2;;-13,50;');
  expect((await read('out', debits)).summaries).toMatchObject([{ closing: '136.50' }]);
  await expect(read('reversal', debits)).rejects.toMatchObject({ reason: 'totals_differ' });
});

test('a net amount on the other side than its amount, and a negative fee that nothing explains, are set aside', async () => {
  const profile: CsvProfile = { ...byWords, columns: { ...byWords.columns, fee: 'Fee', net: 'Net' } };
  const header = `${withMark};Fee;Net`;
  const read = (row: string) => readWith(profile, header, `01.11.2026;done;transfer;R;100,00;${row}`);
  expect(await read('C;-2,00;98,00')).toBe('in 100.00');
  expect(await read('C;-2,00;-98,00')).toBe('its net amount left, its amount came in');
  expect(await read('C;-2,00;')).toBe(set('fee'));
  expect(await read('D;2,00;-102,00')).toBe('out 100.00');
});

test.each([
  ['01/03/67', 'dd/MM/yy', '2024-03-01'],
  ['29/02/2567', 'dd/MM/yyyy', '2024-02-29'],
  ['30/11/2569', 'dd/MM/yyyy', '2026-11-30'],
])('the day %s of the Buddhist era is %s: %s', async (day, dateFormat, bookedOn) => {
  const profile: CsvProfile = { ...byWords, dateFormat, calendar: 'buddhist' };
  const { lines } = await readAll(format, `${withMark}\n${day};done;transfer;R;1,00;C`, { ...options, profile });
  expect(lines).toMatchObject([{ bookedOn }]);
});

test('a Thai file in TIS-620 is read', async () => {
  const profile: CsvProfile = {
    ...byWords,
    encoding: 'windows-874',
    columns: { ...byWords.columns, gross: 'จำนวนเงิน', bankRef: 'เลขที่อ้างอิง' },
  };
  const content = 'Date;State;Type;เลขที่อ้างอิง;จำนวนเงิน;Mark\n01.11.2026;done;transfer;อ1;1,00;C';
  const { lines } = await readAll(format, iconv.encode(content, 'tis-620'), { ...options, profile });
  expect(lines).toMatchObject([{ gross: '1.00', bankRef: 'อ1' }]);
});

test.each([
  ['6.30512E+11', null],
  ['6,30512E+11', null],
  ['#NUM!', null],
  ['#N/A', null],
  ['#######', null],
  ['"=""063051200001"""', '063051200001'],
  ["'063051200001", '063051200001'],
  ['1E10', '1E10'],
  ['#7', '#7'],
  ["'tis", 'tis'],
])('a reference %s out of a spreadsheet is %s', async (cell, bankRef) => {
  const { lines, unparsed } = await readAll(format, `${withMark}\n01.11.2026;done;transfer;${cell};1,00;C`, {
    ...options,
    profile: byWords,
  });
  if (bankRef !== null) expect(lines).toMatchObject([{ bankRef }]);
  else expect(unparsed).toEqual([{ lineNo: 2, reason: 'a spreadsheet has damaged bankRef' }]);
});

test('our order number is found in a text, and a row with two of them is set aside', async () => {
  const profile: CsvProfile = { ...byWords, columns: { ...byWords.columns, text: 'Type' } };
  const [one, other] = ['PI0KQ3Z4M9XABCD0123456789AB', 'PO0KQ3Z4M9XABCD0123456789AB'];
  const read = (text: string) =>
    readAll(format, `${withMark}\n01.11.2026;done;${text};B1;1,00;C`, {
      ...options,
      profile: { ...profile, status: { column: 'State', money: ['done'], none: [] } },
    });
  expect((await read(`IPS ${one}/thanks`)).lines).toMatchObject([{ orderNo: one, bankRef: 'B1' }]);
  expect((await read(`IPS ${one} ${other}`)).unparsed).toMatchObject([{ reason: 'it names several orders' }]);
});

const dated = (dateFormat: string, ...dates: string[]) => {
  const { balanceAfter: _, ...columns } = bank.columns;
  const rows = dates.map((date) => `${date};done;transfer;1,00;R;`);
  return readAll(format, file(...rows), { ...options, profile: { ...bank, dateFormat, columns } });
};

test.each(['01-Sep-2026', '1-Sept-2026', '01-SEPT.-2026', '01-September-2026'])(
  'the name of the month in %s is read',
  async (date) => {
    expect((await dated('dd-MMM-yyyy', date)).lines).toMatchObject([{ bookedOn: '2026-09-01' }]);
  },
);

test.each(['01-Septe-2026', '01-Xyz-2026', '01-Se-2026'])('%s has no month', async (date) => {
  expect((await dated('dd-MMM-yyyy', date)).unparsed).toHaveLength(1);
});

test.each([
  ['ddMMyyyy', '01112026', '1112026'],
  ['ddMMyy', '011126', '11126'],
  ['yyyyMMdd HHmmss', '20261101 000501', '20261101 00501'],
])('a date like %s whose first zero a spreadsheet lost is set aside', async (dateFormat, whole, damaged) => {
  const { lines, unparsed } = await dated(dateFormat, whole, damaged);
  expect(lines).toMatchObject([{ bookedOn: '2026-11-01' }]);
  expect(unparsed).toEqual([{ lineNo: 5, reason: `the date is not like ${dateFormat}` }]);
});

test.each(['09:05 PM', '9:05\u202fpm', '9:05 p.m.'])('the time %s is in the evening', async (time) => {
  const { lines } = await dated('dd.MM.yyyy hh:mm a', `01.11.2026 ${time}`);
  expect(lines).toMatchObject([{ occurredAt: Date.parse('2026-11-01T21:05:00+07:00') }]);
});
