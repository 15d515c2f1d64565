import { type LedgerBatch, namesOf, rowTexts } from '../core/ledger-batch.ts';
import { arrayText } from '../database/row-parameters.ts';
import {
  type ChainedTableName,
  chainedTableNames,
  chainedTables,
  type RowContent,
  type RowRef,
} from './chained-tables.ts';
import type { LedgerSql } from './ledger-sql.ts';
import type { Read } from './snapshot.ts';

/**
 * Reads rows of all these tables by their names. The contents are in the order of the names: undefined for a row that no
 * longer exists.
 */
async function readRows(
  read: Read,
  sql: LedgerSql,
  refs: readonly RowRef[],
): Promise<readonly (RowContent | undefined)[]> {
  const contents: (RowContent | undefined)[] = refs.map(() => undefined);
  const placesOf = Map.groupBy(refs.keys(), (place) => refs[place]?.name.slice(0, 2));
  for (const table of chainedTableNames) {
    const { letter, key } = chainedTables[table];
    // A key of another form is of no row.
    const places = (placesOf.get(`${letter}:`) ?? []).filter((place) => isKeyOf(table, refs[place]?.name ?? ''));
    if (places.length === 0) continue;
    const wanted = places.map((place) => refs[place] ?? noRow);
    const keys = wanted.map(({ name }) => keyOf(name, key.length));
    const columns = [wanted.map(({ merchantId }) => merchantId), ...key.map((_, part) => keys.map((one) => one[part]))];
    const values = columns.map((column) => arrayText(column, false));
    for (const row of await read<{ place: number; batchNo: number }>(sql.rows[table], values)) {
      const place = places[row.place - 1];
      if (place !== undefined) contents[place] = { text: textOfRow(table, row), batchNo: row.batchNo };
    }
  }
  return contents;
}

/** A link of the ledger chain, with the names of the rows that it covers. */
export interface NamedLink extends LedgerBatch {
  readonly names: readonly string[];
}

export const withNames = (link: LedgerBatch): NamedLink => ({ ...link, names: namesOf(link) });

/** Reads the rows that these links cover: of each link in the order of its names. */
export async function readRowsOfLinks(
  read: Read,
  sql: LedgerSql,
  links: readonly NamedLink[],
): Promise<Map<NamedLink, readonly (RowContent | undefined)[]>> {
  const refs = links.flatMap(({ merchantId, names }) => names.map((name) => ({ merchantId, name })));
  const contents = await readRows(read, sql, refs);
  let next = 0;
  return new Map(
    links.map((link) => {
      const first = next;
      next += link.names.length;
      return [link, contents.slice(first, next)];
    }),
  );
}

const noRow: RowRef = { merchantId: '', name: '' };

/** The key after the merchant. `p:PI1:a:b` has the parts `PI1` and `a:b`: only the last may have colons. */
function keyOf(name: string, parts: number): string[] {
  const colon = parts === 1 ? -1 : name.indexOf(':', 2);
  return colon === -1 ? [name.slice(2)] : [name.slice(2, colon), name.slice(colon + 1)];
}

/** Whether the parts of a key can be values of the table's columns. */
function isKeyOf(table: ChainedTableName, name: string): boolean {
  const { types } = chainedTables[table];
  const parts = keyOf(name, types.length);
  return types.every(
    (type, i) =>
      type === 'text' || /^\d{1,9}$/.test(parts[i] ?? '') || (type === 'bigint' && /^\d{1,18}$/.test(parts[i] ?? '')),
  );
}

/** A row that cannot be written out, because it is nested without end, has no text that fits its link. */
function textOfRow(table: ChainedTableName, row: object): string {
  try {
    return textOf[table](row as never);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

const textOf: Record<ChainedTableName, (row: never) => string> = {
  orders: rowTexts.orders,
  order_transition: rowTexts.transitions,
  payment: rowTexts.payments,
  money_case: rowTexts.cases,
  wallet_entry: rowTexts.entries,
  transfer: rowTexts.transfers,
  audit_record: rowTexts.decisions,
};
