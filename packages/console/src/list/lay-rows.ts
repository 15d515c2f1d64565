/** A row from a stream, and the page that was shown when it arrived. */
export interface LaidRow<Row> {
  readonly row: Row;
  readonly over: unknown;
}

/** Rows over a page, by their keys, in the order in which they first came. */
export type LaidRows<Row> = ReadonlyMap<string, LaidRow<Row>>;

/** The page of a list, and the information about its rows. */
export interface Below<Row> {
  /** A value that differs for each answer of the API. */
  readonly page: unknown;
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  /** Whether a row that the page does not have belongs to its top. */
  isNew(row: Row): boolean;
  /** When the row changed last, as a text that can be compared. */
  versionOf(row: Row): string;
}

/** The most new rows that are kept. The page is read again long before that. */
const MAX_NEW = 200;

/** Adds rows of a stream, and drops rows that are no longer useful. The number of kept rows is limited. */
export function layRows<Row>(laid: LaidRows<Row>, changed: readonly Row[], below: Below<Row>): LaidRows<Row> {
  const all = new Map(laid);
  for (const row of changed) all.set(below.keyOf(row), { row, over: below.page });
  const pageRows = byKey(below);
  const kept = [...all].filter(([key, one]) => {
    const known = pageRows.get(key);
    return known === undefined ? below.isNew(one.row) : isNewer(one, known, below);
  });
  const added = kept.filter(([key]) => !pageRows.has(key));
  const dropped = new Set(added.slice(0, Math.max(0, added.length - MAX_NEW)).map(([key]) => key));
  return new Map(kept.filter(([key]) => !dropped.has(key)));
}

/**
 * The page combined with rows of the stream. Known rows are replaced, and new rows are added at the top, the newest
 * first.
 */
export function mergeRows<Row>(laid: LaidRows<Row>, below: Below<Row>): { added: Row[]; rows: Row[] } {
  const pageRows = byKey(below);
  const added = [...laid].flatMap(([key, { row }]) => (!pageRows.has(key) && below.isNew(row) ? [row] : []));
  const rows = below.rows.map((known) => {
    const one = laid.get(below.keyOf(known));
    return one && isNewer(one, known, below) ? one.row : known;
  });
  return { added: added.toReversed(), rows };
}

/** A page that was requested before a row arrived can have older data than the row, even if the page arrived later. */
function isNewer<Row>({ row, over }: LaidRow<Row>, known: Row, { page, versionOf }: Below<Row>): boolean {
  return over === page || versionOf(row) > versionOf(known);
}

function byKey<Row>({ rows, keyOf }: Below<Row>): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}
