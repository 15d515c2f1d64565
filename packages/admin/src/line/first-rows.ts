import { type ListName, largestPage, type Page, type PageRequest, readPageRequest } from '@tidegate/domain/lists';

/** The first rows of a list, at most `limit`, page by page. */
export async function firstRows<Name extends ListName, Row>(
  list: Name,
  limit: number,
  read: (page: PageRequest<Name>) => Promise<Page<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | null = null;
  // A search with filters can return short pages although more rows follow.
  for (let turn = 0; turn < 1_000 && rows.length < limit; turn += 1) {
    const request = readPageRequest(list, { first: Math.min(largestPage, limit - rows.length), after });
    if (!request.ok) throw new Error(`${request.problem.path} ${request.problem.reason}`);
    const page: Page<Row> = await read(request.page);
    rows.push(...page.rows);
    if (!page.hasNextPage) break;
    after = page.endCursor;
  }
  return rows;
}
