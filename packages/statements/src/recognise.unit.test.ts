import { type CsvProfile, formatOfProfile } from '@tidegate/domain/reconciliation';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { importableFormats } from './importable-formats.ts';
import { camtDocument } from './testing/camt053.ts';
import { formatOf } from './testing/read-all.ts';
import { reconItem, reconPage } from './testing/recon.ts';
import { writeZip } from './testing/write-zip.ts';

// What the first bytes of a file show. Several formats may take a file for their own, or none.

const proposals = (start: string | Uint8Array): string[] =>
  Object.entries(importableFormats)
    .filter(([, { recognises }]) => recognises(typeof start === 'string' ? Buffer.from(start) : start))
    .map(([name]) => name);

const page = (list: string, items: object[], more: object) => JSON.stringify({ ...more, [list]: items });
const jazzcash =
  'Transaction Reference Number,Transaction Date Time,Transaction Type,Transaction Status,Transaction Amount,Fee,Sales Tax,Currency,Retrieval Reference Number';
const zipOf = (name: string) => writeZip([{ name: iconv.encode(name, 'gbk'), content: Buffer.from('x') }]);

test.each<[string, string | Uint8Array, string[]]>([
  ['camt.053', camtDocument([]), ['camt.053']],
  ['camt.053 in UTF-16', iconv.encode(camtDocument([]), 'utf-16le', { addBOM: true }), ['camt.053']],
  ['camt.053 with a byte order mark', `\ufeff${camtDocument([])}`, ['camt.053']],
  ['another message of a bank', camtDocument([]).replaceAll('camt.053', 'camt.054'), []],
  ['MT 940', ':20:X\r\n:25:1\r\n:28C:1\r\n:60F:C261101INR0,\r\n', ['mt940']],
  ['MT 940 in an envelope', '{1:F01X}{2:I940X}{4:\r\n:20:X\r\n:60M:C261101INR0,\r\n', ['mt940']],
  ['MT 942', ':20:X\r\n:25:1\r\n:34F:INR0,\r\n', []],
  ['BAI2', '01,A,B,261102,0600,1,,,2/\n', ['bai2']],
  ['a CSV with 01 at its beginning', '0123,A,B\n', []],
  ['a bill of Alipay', iconv.encode('#支付宝业务明细查询\r\n', 'gbk'), ['alipay-bill']],
  ['a zipped bill of Alipay', zipOf('2088_20261101_业务明细.csv'), ['alipay-bill']],
  ['a workbook', zipOf('[Content_Types].xml'), []],
  ['settlements of Razorpay', reconPage([reconItem]), ['razorpay-recon']],
  [
    'a statement of RazorpayX',
    page('items', [{ entity: 'transaction' }], { entity: 'collection' }),
    ['razorpayx-statement'],
  ],
  ['an empty page of Razorpay', page('items', [], { entity: 'collection' }), ['razorpay-recon', 'razorpayx-statement']],
  ['transactions of Opn', page('data', [{ object: 'transaction' }], { object: 'list' }), ['opn-transactions']],
  ['charges of Opn', page('data', [{ object: 'charge' }], { object: 'list' }), []],
  ['a CSV with the columns of a built-in profile', `Report,\n\n${jazzcash}\nT1`, ['csv:jazzcash']],
  ['a CSV with a column less', jazzcash.replace(',Fee', ''), []],
  ['the CSV of a RazorpayX account', 'Transaction Date,UTR,Type,Debit,Credit,Balance\n', ['razorpayx-statement']],
  ['a PDF', '%PDF-1.4\n', []],
  ['nothing', '', []],
  ['half of a letter', Uint8Array.from([0xe6, 0x94]), []],
])('%s', (_, start, expected) => {
  expect(proposals(start)).toEqual(expected);
});

const bank: CsvProfile = {
  name: 'bank',
  version: 7,
  encoding: 'windows-874',
  delimiter: ';',
  preambleRows: 2,
  trailerRows: 0,
  decimalSign: '.',
  dateFormat: 'dd/MM/yyyy',
  columns: { date: 'วันที่', gross: 'จำนวนเงิน', bankRef: 'Ref' },
  direction: { by: 'sign' },
  types: {},
};
const { recognises, name, version } = formatOfProfile(formatOf('csv'), bank);

test('the format of a profile has its name, and a version of its own', () => {
  expect([name, version % 1_000]).toEqual(['csv:bank', 7]);
});

test.each([
  ['in its encoding', 'windows-874', 'Bank\n"two\nlines";x\nวันที่;Ref;จำนวนเงิน\n', true],
  ['without a line after it', 'windows-874', 'วันที่;Ref;จำนวนเงิน', true],
  ['in another encoding', 'utf-8', 'วันที่;Ref;จำนวนเงิน\n', false],
  ['after more rows than the profile allows', 'windows-874', 'a\nb\nc\nวันที่;Ref;จำนวนเงิน\n', false],
  ['with another separator', 'windows-874', 'วันที่,Ref,จำนวนเงิน\n', false],
])('the row of column names %s', (_, encoding, text, expected) => {
  expect(recognises(iconv.encode(text, encoding))).toBe(expected);
});

test('64 KiB of anything are judged quickly', () => {
  for (const piece of ['"', '\n', '"\n', '{"items":', '<', ';"";\n', ' ']) {
    const start = Buffer.alloc(64 * 1024, piece);
    const begun = performance.now();
    for (const format of [
      ...Object.values(importableFormats),
      formatOfProfile(formatOf('csv'), { ...bank, preambleRows: 100 }),
    ])
      format.recognises(start);
    expect(performance.now() - begun, JSON.stringify(piece)).toBeLessThan(2_000);
  }
});
