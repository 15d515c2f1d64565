import type { KeyedRow, ListName } from '../../lists/keys.ts';
import type { Page, PageRequest } from '../../lists/page.ts';
import { type PageArguments, readPageRequest } from '../../lists/page.ts';
import type { Cell, CellType, Column } from '../formats/sheet.ts';

/** The rows of an export, and how they look. */
export interface Source {
  columns: readonly Column[];
  /** About how many rows there are; null: not known. */
  expected: number | null;
  /** Throws `ExportProblem` where the export cannot be right. A page can be empty although more follow. */
  pages: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** Why an export cannot be written, as a text for its owner. Another attempt would fail too. */
export class ExportProblem extends Error {}

/** Rows that are read at once. */
export const pageSize = 2_000;

/** A column, and the field with its value. */
export type ColumnOf<Row> = readonly [title: string, type: CellType, value: (row: Row) => Cell];

export function columnsOf<Row>(columns: readonly ColumnOf<Row>[]): Column[] {
  return columns.map(([title, type]) => ({ title, type }));
}

export function cellsOf<Row>(columns: readonly ColumnOf<Row>[], row: Row): Cell[] {
  return columns.map(([, , value]) => value(row));
}

/** All pages of a list, by key. `first`: the first page, if it was read already. */
export async function* allPages<Row, Name extends ListName>(
  list: Name,
  read: (page: PageRequest<Name>) => Promise<Page<Row>>,
  first: Page<Row>,
): AsyncGenerator<Row[]> {
  for (let page = first; ; page = await read(pageAfter(list, page.endCursor))) {
    yield page.rows;
    if (!page.hasNextPage || page.endCursor === null) return;
  }
}

/** The request for the page after a cursor; null: the first page. */
export function pageAfter<Name extends ListName>(list: Name, after: string | null): PageRequest<Name> {
  const page: PageArguments = { first: pageSize, after };
  const read = readPageRequest(list, page, pageSize);
  if (!read.ok) throw new Error(`${read.problem.path} ${read.problem.reason}`);
  return read.page;
}

/** A list as the source of an export. */
export async function sourceOfList<Row extends KeyedRow<Name>, Name extends ListName>(
  list: Name,
  columns: readonly ColumnOf<Row>[],
  read: (page: PageRequest<Name>) => Promise<Page<Row>>,
  maxCounted: number,
): Promise<Source> {
  const first = await read(pageAfter(list, null));
  const expected = first.hasNextPage ? (await first.total(maxCounted)).count : first.rows.length;
  return { columns: columnsOf(columns), expected, pages: cellPages(columns, allPages(list, read, first)) };
}

export async function* cellPages<Row>(
  columns: readonly ColumnOf<Row>[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Cell[][]> {
  for await (const rows of pages) yield rows.map((row) => cellsOf(columns, row));
}
