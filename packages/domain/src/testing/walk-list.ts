import type { ListName } from '../lists/keys.ts';
import { type Page, type PageArguments, type PageRequest, readPageRequest } from '../lists/page.ts';

/** The page for these arguments, which must be valid. */
export function pageRequest<Name extends ListName>(
  list: Name,
  args: PageArguments = { first: 100 },
): PageRequest<Name> {
  const read = readPageRequest(list, args);
  if (!read.ok) throw new Error(`${read.problem.path} ${read.problem.reason}`);
  return read.page;
}

/**
 * All rows of a list, page by page, in the list's order; from the end if `backward`. The page sizes alternate between
 * `sizes`. `meanwhile` runs before each page except the first. At most 500 pages.
 */
export async function walkList<Name extends ListName, Row>(
  list: Name,
  read: (page: PageRequest<Name>) => Promise<Page<Row>>,
  { sizes = [7], backward = false, meanwhile = async () => undefined }: WalkOptions = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (let turn = 0; turn < 500; turn += 1) {
    if (turn > 0) await meanwhile(turn);
    const size = sizes[turn % sizes.length] ?? 1;
    const page: Page<Row> = await read(
      pageRequest(list, backward ? { last: size, before: cursor } : { first: size, after: cursor }),
    );
    if (page.rows.length > size || page.cursors.length !== page.rows.length)
      throw new Error('a page of the wrong size');
    if (backward) rows.unshift(...page.rows);
    else rows.push(...page.rows);
    if (!(backward ? page.hasPreviousPage : page.hasNextPage)) return rows;
    cursor = backward ? page.startCursor : page.endCursor;
    if (cursor === null) throw new Error('there is more, but nowhere to go on');
  }
  throw new Error('the list has no end');
}

export interface WalkOptions {
  sizes?: readonly number[];
  backward?: boolean;
  meanwhile?: (turn: number) => Promise<unknown>;
}

/** The page of the only parent, from a read for several parents. */
export async function only<Row>(pages: Promise<Page<Row>[]>): Promise<Page<Row>> {
  const [page, ...others] = await pages;
  if (!page || others.length > 0) throw new Error('not one page');
  return page;
}
