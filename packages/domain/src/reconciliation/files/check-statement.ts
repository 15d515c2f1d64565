import { createHash } from 'node:crypto';
import type { Country } from '../../core/country.ts';
import { currencyOf, timeZoneOf } from '../../countries/index.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { type StatementFormat, type StatementRow, StatementUnreadable } from '../statement.ts';
import { addRow, checkedRow, type FileTotals, noRows, problemOfFile, problemOfSize, withDay } from './decide-totals.ts';
import { chunkSql } from './queries.ts';

// A statement is read and checked here as a whole, for its import and for its preview.

/** A file, and what its channel is known for. */
export interface FileToCheck {
  country: Country;
  account: string | null;
  /** The accounts of the other channels of the country. */
  others: readonly { channelId: string; account: string }[];
  beginsOn: string | null;
  /** The day for which it was fetched: the file covers it. Null: it was uploaded. */
  fetchedDay: string | null;
  /** The day in its country, when the reading began. */
  today: string;
}

export interface CheckedStatement {
  totals: FileTotals;
  /** Why the file is refused as a whole; null: it is not. */
  problem: string | null;
}

/**
 * Reads the whole file without storing anything. `seen` gets each row, with the totals up to it. If it returns false, the reading ends, and the result
 * is null.
 */
export async function checkStatement(
  file: FileToCheck,
  format: StatementFormat,
  content: StatementContent,
  seen: (totals: FileTotals, row: StatementRow) => Promise<boolean> | boolean,
): Promise<CheckedStatement | null> {
  const { country, account, others, beginsOn, today, fetchedDay } = file;
  const currency = currencyOf[country];
  let totals = withDay(noRows, fetchedDay);
  try {
    for await (const row of rowsOf(file, format, content)) {
      totals = addRow(totals, row, currency);
      const problem = problemOfSize(totals);
      if (problem) return { totals, problem };
      if (!(await seen(totals, row))) return null;
    }
    return { totals, problem: problemOfFile(totals, { currency, account, others, beginsOn, today }) };
  } catch (error) {
    if (error instanceof StatementUnreadable) return { totals, problem: error.message };
    throw error;
  }
}

/** The rows of a file as they are stored. At the end it throws `StatementUnreadable` if the bytes are not those that were uploaded. */
export async function* rowsOf(
  { country, today }: Pick<FileToCheck, 'country' | 'today'>,
  format: StatementFormat,
  content: StatementContent,
): AsyncGenerator<StatementRow> {
  const options = { currency: currencyOf[country], timeZone: timeZoneOf[country] };
  for await (const row of format.read(content.bytes(), options)) yield checkedRow(row, today);
  if (!(await content.isWhole()))
    throw new StatementUnreadable('damaged', 'its bytes are not those that were uploaded: upload it again');
}

/** The bytes of a file. */
export interface StatementContent {
  bytes(): AsyncIterable<Uint8Array>;
  /** After its rows were read: whether all bytes, also those that a format did not read, are those that were uploaded. */
  isWhole(): Promise<boolean>;
}

/** The bytes of a stored file. */
export function openContent(
  { database }: DatabaseAccess,
  { merchantId, fileNo, sha256 }: { merchantId: string; fileNo: number; sha256: string },
): StatementContent {
  const hash = createHash('sha256');
  let chunkNo = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const { rows } = await database.pool.query<{ content: Buffer }>(chunkSql, [merchantId, fileNo, chunkNo]);
      const [chunk] = rows;
      if (!chunk) return;
      chunkNo += 1;
      hash.update(chunk.content);
      yield chunk.content;
    }
  }
  const isWhole = async (): Promise<boolean> => {
    for await (const _ of bytes());
    return hash.digest('hex') === sha256;
  };
  return { bytes, isWhole };
}
