import {
  type CsvProfile,
  type StatementOptions,
  type StatementRow,
  StatementUnreadable,
} from '@tidegate/domain/reconciliation';
import { rowsOrUnparsed } from '../reading/bad-row.ts';
import { boundedBytes } from '../reading/bytes.ts';
import type { Limits } from '../reading/limits.ts';
import { RunningBalance } from '../reading/running-balance.ts';
import { decodeText, textLines } from '../reading/text.ts';
import { findColumns, type Places } from './columns.ts';
import { type CutRow, RowCutter } from './cut-rows.ts';
import { readCsvRow } from './read-row.ts';

/** The rows of a CSV, as its profile describes them. Empty rows and the rows of the trailer are left out. */
export async function* csvRows(
  bytes: AsyncIterable<Uint8Array>,
  options: StatementOptions & { profile: CsvProfile },
  limits: Limits,
): AsyncGenerator<StatementRow> {
  const { profile } = options;
  const balance = profile.columns.balanceAfter === undefined ? null : new RunningBalance('oldest first');
  const cutter = new RowCutter(profile.delimiter, limits.rowLength);
  let places: Places | null = null;
  let seen = 0;
  for await (const { lineNo, cells } of withoutTrailer(cutRows(bytes, cutter, profile, limits), profile.trailerRows)) {
    if (places === null) {
      places = cells && findColumns(cells, profile);
      seen += 1;
      if (places === null && seen > profile.preambleRows) throw noHeader(profile);
      cutter.columns = places?.columns ?? null;
      continue;
    }
    const known: Places = places;
    const read = rowsOrUnparsed(lineNo, () => readCsvRow(lineNo, cells, known, { options, limits, balance }));
    if (read.some(({ kind }) => kind === 'unparsed')) balance?.skip();
    yield* read;
  }
  if (places === null) throw noHeader(profile);
  if (balance === null) return;
  const none = { account: null, currency: null, from: null, to: null, lines: null, totalIn: null, totalOut: null };
  yield { kind: 'summary', summary: { ...none, ...balance.ends() } };
}

async function* cutRows(
  bytes: AsyncIterable<Uint8Array>,
  cutter: RowCutter,
  { encoding }: CsvProfile,
  limits: Limits,
): AsyncGenerator<CutRow> {
  const isEmpty = ({ cells }: CutRow) => cells?.every((cell) => cell.trim() === '') === true;
  for await (const line of textLines(decodeText(boundedBytes(bytes, limits.bytes), encoding), limits))
    for (const row of cutter.push(line)) if (!isEmpty(row)) yield row;
  for (const row of cutter.end()) if (!isEmpty(row)) yield row;
}

/** All rows but the last `count`. */
async function* withoutTrailer(rows: AsyncIterable<CutRow>, count: number): AsyncGenerator<CutRow> {
  const held: CutRow[] = [];
  for await (const row of rows) {
    held.push(row);
    const oldest = held.length > count ? held.shift() : undefined;
    if (oldest !== undefined) yield oldest;
  }
}

function noHeader({ name, preambleRows }: CsvProfile): StatementUnreadable {
  const message = `the first ${preambleRows + 1} rows do not have the column names of the profile ${name}`;
  return new StatementUnreadable('other_format', message);
}
