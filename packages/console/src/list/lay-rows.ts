/** A row that a stream brought, and the page that was shown when it came. */
export interface LaidRow<Row> {
  readonly row: Row;
  readonly over: unknown;
}

/** Rows over a page, by their keys, in the order in which they first came. */
export type LaidRows<Row> = ReadonlyMap<string, LaidRow<Row>>;

/** The page of a list, and what is known of its rows. */
export interface Below<Row> {
  /** Another value for each answer of the API. */
  readonly page: unknown;
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  /** Whether a row that the page does not have belongs to its top. */
  isNew(row: Row): boolean;
  /** When the row changed last, as a text that can be compared. */
  versionOf(row: Row): string;
}

/** More new rows than this are not kept. The page has to be read again long before. */
const MAX_NEW = 200;

/** Adds rows of a stream, and drops what says nothing any more. What is kept is bounded, however many come. */
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

/** The page with the rows of the stream: known ones as they are now, new ones on top, the newest first. */
export function mergeRows<Row>(laid: LaidRows<Row>, below: Below<Row>): { added: Row[]; rows: Row[] } {
  const pageRows = byKey(below);
  const added = [...laid].flatMap(([key, { row }]) => (!pageRows.has(key) && below.isNew(row) ? [row] : []));
  const rows = below.rows.map((known) => {
    const one = laid.get(below.keyOf(known));
    return one && isNewer(one, known, below) ? one.row : known;
  });
  return { added: added.toReversed(), rows };
}

/** A page that was asked for before a row came can be older than the row, although it came later. */
function isNewer<Row>({ row, over }: LaidRow<Row>, known: Row, { page, versionOf }: Below<Row>): boolean {
  return over === page || versionOf(row) > versionOf(known);
}

function byKey<Row>({ rows, keyOf }: Below<Row>): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}
