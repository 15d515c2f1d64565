/** A row of a chain: numbered from 1 per merchant, its hash made from the one before and its own text. */
export interface Link {
  merchantId: string;
  hash: string;
}

interface Chain<Row extends Link> {
  /** The rows that come after `last` (null: from the start), by merchant and number, at most `pageSize`. */
  pageAfter(last: Row | null): Promise<Row[]>;
  pageSize: number;
  first: string;
  hashOf(previous: string, row: Row): string;
}

/** Walks every merchant's chain in order and makes each hash again; gives the rows that do not match, at most `limit`. */
export async function brokenLinks<Row extends Link>(chain: Chain<Row>, limit: number): Promise<Row[]> {
  const broken: Row[] = [];
  let last: Row | null = null;
  for (;;) {
    const page: Row[] = await chain.pageAfter(last);
    for (const row of page) {
      const previous = row.merchantId === last?.merchantId ? last.hash : chain.first;
      if (row.hash !== chain.hashOf(previous, row) && broken.length < limit) broken.push(row);
      last = row;
    }
    if (page.length < chain.pageSize) return broken;
  }
}
