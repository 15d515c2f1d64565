import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCursor, writeCursor } from './cursor.ts';
import { keyColumns, keyOf, type ListName, lists } from './keys.ts';
import { type PageArguments, readPageRequest, toPage } from './page.ts';

const cursor = writeCursor('orders', [1_700_000_000_000, 'CN-1', 'PI1']);
const raw = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each<[string, PageArguments, { size: number; backward: boolean }]>([
  ['nothing', {}, { size: 20, backward: false }],
  [
    'nulls, as GraphQL sends them',
    { first: null, last: null, after: null, before: null },
    { size: 20, backward: false },
  ],
  ['the first hundred', { first: 100 }, { size: 100, backward: false }],
  ['the last one', { last: 1 }, { size: 1, backward: true }],
  ['the rows after a cursor', { first: 5, after: cursor }, { size: 5, backward: false }],
  ['the rows between two cursors', { last: 5, after: cursor, before: cursor }, { size: 5, backward: true }],
])('a page is requested by %s', (_, args, expected) => {
  expect(readPageRequest('orders', args)).toMatchObject({ ok: true, page: { list: 'orders', ...expected } });
});

test.each<[string, PageArguments, string]>([
  ['no rows', { first: 0 }, 'first must be a whole number from 1 to 100'],
  ['less than none', { last: -1 }, 'last must be a whole number from 1 to 100'],
  ['more than a hundred', { first: 101 }, 'first must be a whole number from 1 to 100'],
  ['half a row', { first: 1.5 }, 'first must be a whole number from 1 to 100'],
  ['both ends', { first: 1, last: 1 }, 'last must not be sent together with first'],
  ['an empty cursor', { after: '' }, 'after is not a cursor'],
  ['text', { after: 'hello there' }, 'after is not a cursor'],
  ['a cursor of another list', { after: writeCursor('transfers', [1]) }, 'after is not a cursor'],
  ['a cursor of too many characters', { before: raw(['orders', 1, 'A'.repeat(400), 'B']) }, 'before is not a cursor'],
  ['too few parts', { before: raw(['orders', 1, 'A']) }, 'before is not a cursor'],
  ['too many parts', { before: raw(['orders', 1, 'A', 'B', 'C']) }, 'before is not a cursor'],
  ['text for a time', { before: raw(['orders', '1', 'A', 'B']) }, 'before is not a cursor'],
  ['a time beyond all', { before: raw(['orders', 1e18, 'A', 'B']) }, 'before is not a cursor'],
  ['a number for text', { before: raw(['orders', 1, 2, 'B']) }, 'before is not a cursor'],
  ['a zero byte', { before: raw(['orders', 1, 'A\0', 'B']) }, 'before is not a cursor'],
  ['an object', { before: raw({ list: 'orders' }) }, 'before is not a cursor'],
  ['half of JSON', { before: Buffer.from('["orders",1').toString('base64url') }, 'before is not a cursor'],
])('%s is refused with a reason', (_, args, reason) => {
  const read = readPageRequest('orders', args);
  expect(read.ok ? '' : `${read.problem.path} ${read.problem.reason}`).toContain(reason);
});

test('reading a cursor never throws, whatever its text', () => {
  const anyText = fc.array(fc.nat(0x10ffff)).map((points) => String.fromCodePoint(...points));
  fc.assert(
    fc.property(anyText, fc.jsonValue(), (text, value) => {
      expect([null, 'object']).toContain(readCursor('orders', text) && 'object');
      expect([null, 'object']).toContain(readCursor('timeline', raw(value)) && 'object');
    }),
  );
});

test('every list’s cursor can be read back', () => {
  const part = {
    time: fc.nat(),
    number: fc.nat(),
    decimal: fc.nat().map((cents) => (cents / 100).toFixed(2)),
    day: fc
      .date({ min: new Date('2000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
      .map((d) => d.toISOString().slice(0, 10)),
    text: fc.string({ maxLength: 60 }).filter((t) => !t.includes('\0')),
  };
  const keys = (Object.keys(lists) as ListName[]).map((list) =>
    fc.tuple(
      fc.constant(list),
      fc.tuple(...keyColumns(list).map(([, kind]): fc.Arbitrary<string | number> => part[kind])),
    ),
  );
  fc.assert(
    fc.property(fc.oneof(...keys), ([list, values]) => {
      expect(readCursor(list, writeCursor(list, values))).toEqual(values);
    }),
    { numRuns: 20 * keys.length },
  );
});

test('a page says whether more rows are before and after it', () => {
  const page = (args: PageArguments, fetched: number[], stop: number[] | null = null) => {
    const read = readPageRequest('transfers', args);
    if (!read.ok) throw new Error(read.problem.reason);
    const found = fetched.map((transferNo) => ({ transferNo }));
    const { rows, hasNextPage, hasPreviousPage } = toPage(read.page, found, stop);
    return { rows: rows.map(({ transferNo }) => transferNo), hasNextPage, hasPreviousPage };
  };
  const after = writeCursor('transfers', [9]);
  expect(page({ first: 2 }, [8, 7, 6])).toEqual({ rows: [8, 7], hasNextPage: true, hasPreviousPage: false });
  expect(page({ first: 2, after }, [8, 7])).toEqual({ rows: [8, 7], hasNextPage: false, hasPreviousPage: true });
  expect(page({ last: 2 }, [1, 2, 3])).toEqual({ rows: [2, 1], hasNextPage: false, hasPreviousPage: true });
  expect(page({ last: 2, before: after }, [10, 11])).toEqual({
    rows: [11, 10],
    hasNextPage: true,
    hasPreviousPage: false,
  });
  expect(page({ first: 2 }, [8], [3])).toEqual({ rows: [8], hasNextPage: true, hasPreviousPage: false });
});

test('the key of a row has the values of its sort columns, in order', () => {
  const row = { orderNo: 'PI1', createdAt: 5, status: 'completed', merchantId: 'CN-1' };
  expect(keyOf('notifications', row)).toEqual([5, 'CN-1', 'PI1', 'completed']);
});
