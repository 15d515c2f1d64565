import { expect, test } from 'vitest';
import { type Below, type LaidRows, layRows, mergeRows } from './lay-rows.ts';

interface Row {
  no: string;
  at: number;
  changed: string;
  state: string;
}

const row = (no: string, at: number, changed = '10:00', state = 'new'): Row => ({ no, at, changed, state });
const pageOf = (...rows: Row[]): Below<Row> => ({
  page: {},
  rows,
  keyOf: ({ no }) => no,
  isNew: ({ at }) => at > Math.max(0, ...rows.map((one) => one.at)),
  versionOf: ({ changed }) => changed,
});
const none: LaidRows<Row> = new Map();
const shown = (laid: LaidRows<Row>, below: Below<Row>) => {
  const { added, rows } = mergeRows(laid, below);
  return [...added, ...rows].map(({ no, state }) => `${no} ${state}`);
};

test('a changed row keeps its place in the list, and new rows are added at the top, the newest first', () => {
  const page = pageOf(row('b', 2), row('a', 1));
  const laid = layRows(
    none,
    [row('c', 3), row('a', 1, '10:05', 'done'), row('d', 4), row('c', 3, '10:06', 'done')],
    page,
  );
  expect(shown(laid, page)).toEqual(['d new', 'c done', 'b new', 'a done']);
});

test('a changed order that is older than the page is not added to it', () => {
  const page = pageOf(row('b', 2));
  expect(shown(layRows(none, [row('a', 1, '10:05', 'done')], page), page)).toEqual(['b new']);
});

test('a row that arrived while the page was read again is kept only if it is newer than the page', () => {
  const before = pageOf(row('b', 2), row('a', 1));
  const arrived = [row('a', 1, '10:05', 'done'), row('b', 2, '10:01', 'paid'), row('c', 3), row('d', 4)];
  const laid = layRows(none, arrived, before);
  // The page was read before `a` was done and before `d` existed, but after `b` changed.
  const after = pageOf(row('c', 3), row('b', 2, '10:02', 'done'), row('a', 1, '10:04', 'paid'));
  expect(shown(laid, after)).toEqual(['d new', 'c new', 'b done', 'a done']);
  // A change without a new version, such as a notification, is shown as the later page has it.
  expect(shown(laid, pageOf(row('a', 1, '10:05', 'done, notified')))).toContain('a done, notified');
});

test('only shown rows and at most the 200 newest new rows are kept', () => {
  const page = pageOf(row('b', 1_000));
  let laid = layRows(
    none,
    Array.from({ length: 999 }, (_, i) => row(`old ${i}`, i)),
    page,
  );
  expect(laid.size).toBe(0);
  for (let i = 0; i < 500; i += 1)
    laid = layRows(laid, [row(`new ${i}`, 2_000 + i), row('b', 1_000, '10:05', 'done')], page);
  expect(laid.size).toBe(201);
  expect([...laid.keys()].at(-1)).toBe('new 499');
  expect(shown(laid, page).at(-1)).toBe('b done');
  // A page that has all rows replaces all rows that were kept.
  const all = Array.from({ length: 500 }, (_, i) => row(`new ${499 - i}`, 2_499 - i));
  expect(layRows(laid, [], pageOf(...all, row('b', 1_000, '10:06', 'done'))).size).toBe(0);
});
