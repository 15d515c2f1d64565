import { buffer, text } from 'node:stream/consumers';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writeCsv } from './csv.ts';
import { writeHtml } from './html.ts';
import type { Cell, CellType, Sheet } from './sheet.ts';
import { writeXlsx } from './xlsx.ts';

function sheetOf(type: CellType, ...cells: Cell[]): Sheet {
  const pages = async function* () {
    yield cells.map((cell) => [cell]);
  };
  return { columns: [{ title: 'it', type }], pages: pages() };
}

const csvOf = async (type: CellType, cell: Cell): Promise<string> =>
  (await buffer(writeCsv(sheetOf(type, cell)))).toString().slice('\uFEFFit\r\n'.length, -'\r\n'.length);

/** The parts of a workbook, by the directory at its end. */
async function partsOf(sheet: Sheet): Promise<Record<string, string>> {
  const file = await buffer(writeXlsx(sheet, 'orders-[2026]'));
  const parts: Record<string, string> = {};
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  for (let at = file.readUInt32LE(end + 16); at < end; ) {
    const [packed, nameLength] = [file.readUInt32LE(at + 20), file.readUInt16LE(at + 28)];
    const local = file.readUInt32LE(at + 42);
    const begin = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const name = file.toString('utf8', at + 46, at + 46 + nameLength);
    parts[name] = inflateRawSync(file.subarray(begin, begin + packed)).toString();
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return parts;
}

const sheetXmlOf = async (type: CellType, ...cells: Cell[]): Promise<string> =>
  (await partsOf(sheetOf(type, ...cells)))['xl/worksheets/sheet1.xml'] ?? '';

test.each([
  ['=1+1', `'=1+1`],
  ['+1', `'+1`],
  ['-1', `'-1`],
  ['-2+3+cmd|calc', `'-2+3+cmd|calc`],
  ['@SUM(A1)', `'@SUM(A1)`],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  ['＝1+1', `'＝1+1`],
  ['a=1', 'a=1'],
  ['say "x", y', '"say ""x"", y"'],
  ['a;b', '"a;b"'],
  // Where the list separator is a semicolon, Excel splits a line there too.
  ['x;=1+cmd', `"x;'=1+cmd"`],
  ['x, -2', `"x, '-2"`],
  ['x|@SUM(A1)', `x|'@SUM(A1)`],
  // A spreadsheet would show another number.
  ['063051200001', `'063051200001`],
  ['50100012345678', `'50100012345678`],
  ['12E5', `'12E5`],
  ['12345678901', '12345678901'],
  ['0.50', '0.50'],
])('the text %j is written to CSV so that a spreadsheet keeps it: %s', async (input, expected) => {
  expect(await csvOf('text', input)).toBe(expected);
});

test('amounts stay numbers, and texts that only look like an amount do not', async () => {
  expect(await csvOf('amount', '-12.50')).toBe('-12.50');
  expect(await csvOf('amount', '-12.50+1')).toBe(`'-12.50+1`);
  expect(await csvOf('number', 7)).toBe('7');
  expect(await csvOf('time', 0)).toBe('1970-01-01T00:00:00.000Z');
  expect(await csvOf('text', null)).toBe('');
});

test('a workbook has texts that are never calculated, and amounts with all their digits', async () => {
  const xml = await sheetXmlOf('text', '=1+1', '<a> & "b"', '_x0041_', 'a\u0001b', '-1');
  expect(xml).not.toContain('<f>');
  expect(xml).toContain('<c s="2" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>');
  expect(xml).toContain('&lt;a&gt; &amp; &quot;b&quot;');
  expect(xml).toContain('_x005F_x0041_');
  expect(xml).toContain('a\uFFFDb');
  expect(xml).toContain('<c s="2" t="inlineStr"><is><t xml:space="preserve">-1</t></is></c>');
  const amounts = await sheetXmlOf('amount', '-12.50', '1234567890123456.78');
  expect(amounts).toContain('<c s="3"><v>-12.50</v></c>');
  expect(amounts).toContain('preserve">1234567890123456.78</t>');
});

test('the same rows are the same workbook, byte by byte', async () => {
  const make = () => buffer(writeXlsx(sheetOf('text', 'a', 'b'), 'x'));
  const [first, second] = [await make(), await make()];
  expect(first.equals(second)).toBe(true);
  expect(Object.keys(await partsOf(sheetOf('text')))).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/worksheets/sheet1.xml',
  ]);
});

test('an error of the source of rows ends the workbook with that error', async () => {
  const pages = async function* () {
    yield [['a']];
    throw new Error('does not add up');
  };
  const sheet: Sheet = { columns: [{ title: 'it', type: 'text' }], pages: pages() };
  await expect(buffer(writeXlsx(sheet, 'x'))).rejects.toThrow('does not add up');
});

test('a page for print shows markup in its rows as text', async () => {
  const page = await text(writeHtml(sheetOf('text', '<script>x</script>', `"'&`), 'W-1'));
  expect(page).toContain('<td class="text">&lt;script&gt;x&lt;/script&gt;</td>');
  expect(page).toContain('&quot;&#39;&amp;');
  expect(page).toContain('size: A4');
});
