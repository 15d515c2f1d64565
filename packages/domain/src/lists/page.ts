import { isReadable } from '../database/json-columns.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { type Key, type KeyedRow, keyOf, type ListName } from './keys.ts';

/** The arguments of a Relay connection. `first` (default 20) counts from the start or `after`, `last` from the end or `before`. */
export interface PageArguments {
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
}

/** A requested page of this list. Only `readPageRequest` makes one. */
export interface PageRequest<Name extends ListName = ListName> {
  readonly list: Name;
  readonly size: number;
  /** Counts from the end. */
  readonly backward: boolean;
  /** Only rows after this key, or before that one. */
  readonly after: Key | null;
  readonly before: Key | null;
}

/**
 * A page of a list, in the list's order. A page may be short or even empty although more rows follow, because a search
 * reads a limited number of rows. `endCursor` (backward: `startCursor`) is where to continue.
 */
export interface PageRows<Row> {
  rows: Row[];
  /** One for each row. */
  cursors: string[];
  startCursor: string | null;
  endCursor: string | null;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** The number of rows of a list. If not exact, it is a lower bound. */
export interface Total {
  count: number;
  isExact: boolean;
}

/** A page that can count the whole list, with the same filter and scope. */
export interface Page<Row> extends PageRows<Row> {
  /** Counts when called. From `most` rows on the total is a lower bound; default 10,000. */
  total(most?: number): Promise<Total>;
}

export const largestPage = 100;
const defaultSize = 20;

/**
 * Reads the arguments of a page, or reports what is wrong with them: at most `largest` rows, from one end, with cursors of
 * this list.
 */
export function readPageRequest<Name extends ListName>(
  list: Name,
  { first, last, after, before }: PageArguments,
  largest = largestPage,
): { ok: true; page: PageRequest<Name> } | { ok: false; problem: { path: keyof PageArguments; reason: string } } {
  const wrong = (path: keyof PageArguments, reason: string) => ({ ok: false, problem: { path, reason } }) as const;
  const [size, path] = last == null ? [first ?? defaultSize, 'first' as const] : [last, 'last' as const];
  if (first != null && last != null) return wrong('last', 'must not be sent together with first');
  if (!Number.isInteger(size) || size < 1 || size > largest)
    return wrong(path, `must be a whole number from 1 to ${largest}`);
  const [afterKey, beforeKey] = [after, before].map((cursor) => (cursor == null ? null : readCursor(list, cursor)));
  if (after != null && !afterKey) return wrong('after', notOurs);
  if (before != null && !beforeKey) return wrong('before', notOurs);
  return {
    ok: true,
    page: { list, size, backward: last != null, after: afterKey ?? null, before: beforeKey ?? null },
  };
}

const notOurs = 'is not a cursor of this list: send one from a page of this list';

/**
 * Makes the page from the fetched rows: up to one more than its size, in the order of the fetch. `stop`: where a
 * truncated search ended. Rows that cannot be read are left out.
 */
export function toPage<Row extends KeyedRow<Name>, Name extends ListName>(
  page: PageRequest<Name>,
  fetched: readonly Row[],
  stop: Key | null = null,
): PageRows<Row> {
  const inPage = fetched.slice(0, page.size);
  if (page.backward) inPage.reverse();
  const cursorOf = (row: Row) => writeCursor(page.list, keyOf(page.list, row));
  const [first, last] = [inPage[0], inPage.at(-1)];
  // The page goes on behind a row that is left out.
  const rows = inPage.filter(isReadable);
  const isMore = fetched.length > page.size || stop !== null;
  const stopCursor = stop && writeCursor(page.list, stop);
  return {
    rows,
    cursors: rows.map(cursorOf),
    startCursor: (page.backward && stopCursor) || (first ? cursorOf(first) : null),
    endCursor: (!page.backward && stopCursor) || (last ? cursorOf(last) : null),
    // The row of the cursor still exists: no listed rows are deleted, except routes.
    hasNextPage: page.backward ? page.before !== null : isMore || page.before !== null,
    hasPreviousPage: page.backward ? isMore || page.after !== null : page.after !== null,
  };
}
