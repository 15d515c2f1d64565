import { truncateText } from '../../core/channel-answer.ts';
import type { Country } from '../../core/country.ts';
import type { Telemetry } from '../../core/telemetry.ts';
import { currencyOf, timeZoneOf } from '../../countries/index.ts';
import { isCancelled, isUnavailable } from '../../database/connection-loss.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { runExclusively } from '../../database/run-exclusively.ts';
import { beginAgainSql } from '../expectations/statements.ts';
import { openPace, type Pace, type RestAfter } from '../pace.ts';
import { type StatementFormat, type StatementLine, type StatementRow, StatementUnreadable } from '../statement.ts';
import type { StatementAccess } from '../statement-access.ts';
import { compareVersions } from '../versions/compare-versions.ts';
import {
  addRow,
  checkedRow,
  decimalText,
  type FileTotals,
  noRows,
  problemOfFile,
  problemOfSize,
  sumOf,
  uncountedSum,
  withDay,
} from './decide-totals.ts';
import {
  addFeeBreaksSql,
  addForeignBreakSql,
  addLinesSql,
  addUnparsedBreaksSql,
  addUnparsedSql,
  beginChannelSql,
  chunkSql,
  coverDaysSql,
  finishFileSql,
  nextFilesSql,
  refuseFileSql,
  storedLinesSql,
} from './statements.ts';

interface WaitingFile {
  merchantId: string;
  fileNo: number;
  channelId: string;
  format: string;
  country: Country;
  account: string | null;
  /** The accounts of the other channels of the country. */
  others: readonly { channelId: string; account: string }[];
  beginsOn: string | null;
  /** The day for which it was fetched: the file covers it. Null: it was uploaded. */
  fetchedDay: string | null;
}

/** `nothing`: no file waits. `paused`: the process ends, or another one is at it; the next call goes on. */
export type ImportOutcome = 'nothing' | 'imported' | 'refused' | 'paused';

/** How many lines one statement stores. Between two batches the import can rest. */
const batchSize = 2_000;

/** How many files are tried until one can be imported. */
const maxTried = 20;

/** When the import has to stop, and when it rests. */
interface Course {
  isEnding: () => boolean;
  pace: Pace;
}

type ImportAccess = DatabaseAccess & StatementAccess & Pick<Telemetry, 'log'>;

/**
 * Imports the statement that has waited longest. It is read twice: first to check it as a whole, so that nothing of a refused file is stored; then to
 * store its lines in batches. After a crash the second reading goes on behind the last stored line. Its days are matched only once all is stored.
 * A file that takes too long is tried again later, and does not keep others waiting.
 */
export async function importNextStatement(
  domain: ImportAccess,
  isEnding: () => boolean = () => false,
  restAfter?: RestAfter,
): Promise<ImportOutcome> {
  const course = { isEnding, pace: openPace(isEnding, restAfter) };
  const { rows } = await domain.database.pool.query<WaitingFile>(nextFilesSql, [maxTried]);
  for (const file of rows) {
    try {
      return await importFile(domain, file, course);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      domain.log.error({ err: error, fileNo: file.fileNo }, 'a statement cannot be imported now');
    }
  }
  return 'nothing';
}

async function importFile(
  domain: ImportAccess,
  file: WaitingFile,
  course: Course,
): Promise<Exclude<ImportOutcome, 'nothing'>> {
  const format = domain.statementFormats[file.format];
  const checked = format ? await check(domain, file, format, course) : `the format ${file.format} is not installed`;
  if (checked === 'paused') return 'paused';
  if (!format || typeof checked === 'string') return refuse(domain, file, String(checked));
  try {
    if (!(await store(domain, file, format, course))) return 'paused';
    return (await finish(domain, file, checked)) ? 'imported' : 'paused';
  } catch (error) {
    if (isUnavailable(error) || isCancelled(error)) throw error;
    domain.log.error({ err: error, fileNo: file.fileNo, format: file.format }, 'a statement cannot be stored');
    return refuse(domain, file, 'cannot be stored');
  }
}

async function refuse({ database }: DatabaseAccess, file: WaitingFile, reason: string): Promise<'refused'> {
  await database.pool.query(refuseFileSql, [file.merchantId, file.fileNo, truncateText(reason, 300)]);
  return 'refused';
}

/** Reads the whole file without storing anything: its totals, or why it is refused. */
async function check(
  domain: DatabaseAccess & Pick<Telemetry, 'log'>,
  file: WaitingFile,
  format: StatementFormat,
  { isEnding, pace }: Course,
): Promise<FileTotals | string> {
  const currency = currencyOf[file.country];
  let totals = withDay(noRows, file.fetchedDay);
  try {
    for await (const row of rowsOf(domain, file, format)) {
      totals = addRow(totals, row, currency);
      const problem = problemOfSize(totals);
      if (problem) return problem;
      if (totals.rows % batchSize === 0) await pace.rest();
      if (isEnding()) return 'paused';
    }
    const { account, others, beginsOn } = file;
    return problemOfFile(totals, { currency, account, others, beginsOn }) ?? totals;
  } catch (error) {
    if (isUnavailable(error) || isCancelled(error)) throw error;
    if (error instanceof StatementUnreadable) return error.message;
    domain.log.error({ err: error, fileNo: file.fileNo, format: file.format }, 'a statement cannot be read');
    return 'cannot be read';
  }
}

/** False: the process ends before all is stored. */
async function store(
  domain: DatabaseAccess,
  file: WaitingFile,
  format: StatementFormat,
  { isEnding, pace }: Course,
): Promise<boolean> {
  const { pool } = domain.database;
  const { merchantId, fileNo, channelId } = file;
  const stored = await pool.query<{ count: number }>(storedLinesSql, [merchantId, fileNo]);
  let toSkip = stored.rows[0]?.count ?? 0;
  let lines: StatementLine[] = [];
  const unparsed: { lineNo: number; reason: string }[] = [];
  const flush = async (): Promise<void> => {
    if (lines.length > 0)
      await pool.query({
        name: 'add-statement-lines',
        text: addLinesSql,
        values: [merchantId, fileNo, channelId, format.version, JSON.stringify(lines)],
      });
    lines = [];
  };
  for await (const row of rowsOf(domain, file, format)) {
    if (row.kind === 'unparsed') unparsed.push({ lineNo: row.lineNo, reason: truncateText(row.reason, 200) });
    if (row.kind !== 'line') continue;
    if (toSkip > 0) toSkip -= 1;
    else lines.push(row.line);
    if (lines.length < batchSize) continue;
    await flush();
    await pace.rest();
    if (isEnding()) return false;
  }
  await flush();
  if (unparsed.length > 0) await pool.query(addUnparsedSql, [merchantId, fileNo, JSON.stringify(unparsed)]);
  return true;
}

/** Makes the stored lines count, once. False: another process is matching. */
function finish(domain: DatabaseAccess, file: WaitingFile, totals: FileTotals): Promise<boolean> {
  const { merchantId, fileNo, channelId } = file;
  const { lines, unparsed, firstDay, lastDay, netIn, netOut, summaries } = totals;
  const statedSum = (field: 'opening' | 'closing'): string | null => {
    const sum = sumOf(summaries, field);
    return sum === null ? null : decimalText(sum);
  };
  return runExclusively(domain, 'reconciliation', async (client) => {
    const found = [decimalText(netIn), decimalText(netOut), statedSum('opening'), statedSum('closing')];
    const done = await client.query(finishFileSql, [merchantId, fileNo, lines, unparsed, firstDay, lastDay, ...found]);
    if (done.rowCount === 0) return true;
    const account = summaries.find((one) => one.account !== null)?.account ?? null;
    const inserted = await client.query(beginChannelSql, [merchantId, channelId, firstDay, account]);
    if (inserted.rowCount === 1) await client.query(beginAgainSql, [merchantId]);
    const currency = currencyOf[file.country];
    if (file.fetchedDay !== null) await compareVersions(client, { merchantId, fileNo, channelId, currency });
    await client.query(coverDaysSql, [merchantId, fileNo, channelId, firstDay, lastDay]);
    await client.query(addFeeBreaksSql, [merchantId, fileNo, channelId, currency]);
    const uncounted = decimalText(uncountedSum(totals) ?? 0n);
    const added = [merchantId, fileNo, channelId, firstDay, uncounted];
    if (unparsed > 0) await client.query(addUnparsedBreaksSql, added);
    else if (uncounted !== '0.00') await client.query(addForeignBreakSql, added);
    return true;
  });
}

async function* rowsOf(
  domain: DatabaseAccess,
  file: WaitingFile,
  format: StatementFormat,
): AsyncGenerator<StatementRow> {
  const options = { currency: currencyOf[file.country], timeZone: timeZoneOf[file.country] };
  for await (const row of format.read(bytesOf(domain, file), options)) yield checkedRow(row);
}

async function* bytesOf({ database }: DatabaseAccess, { merchantId, fileNo }: WaitingFile): AsyncGenerator<Uint8Array> {
  for (let chunkNo = 0; ; chunkNo += 1) {
    const { rows } = await database.pool.query<{ content: Buffer }>(chunkSql, [merchantId, fileNo, chunkNo]);
    const [chunk] = rows;
    if (!chunk) return;
    yield chunk.content;
  }
}
