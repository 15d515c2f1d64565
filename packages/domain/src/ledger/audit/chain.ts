/** The end of a chain up to where it was read: the last row's number and hash, and how many rows there were. */
export interface ChainEnd {
  no: number;
  count: number;
  hash: string;
}

/**
 * Reads the next rows of a merchant's chain in order, and recomputes each hash. Returns the new end, the computed
 * hashes, and the rows whose hash does not follow from the previous row. The rows after such a row are checked against
 * its stored hash.
 */
export function followChain<Row extends { hash: string }>(
  rows: readonly Row[],
  end: ChainEnd,
  chain: { noOf(row: Row): number; hashOf(previous: string, row: Row): string },
): { end: ChainEnd; changed: Row[]; hashes: string[] } {
  const changed: Row[] = [];
  const hashes: string[] = [];
  let { hash } = end;
  for (const row of rows) {
    const computed = chain.hashOf(hash, row);
    hashes.push(computed);
    if (row.hash !== computed) changed.push(row);
    hash = row.hash;
  }
  const last = rows.at(-1);
  return { end: { no: last ? chain.noOf(last) : end.no, count: end.count + rows.length, hash }, changed, hashes };
}
