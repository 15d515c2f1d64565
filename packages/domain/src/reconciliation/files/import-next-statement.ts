import { truncateText } from '../../core/channel-answer.ts';
import type { Telemetry } from '../../core/telemetry.ts';
import { currencyOf, timeZoneOf } from '../../countries/index.ts';
import { isCancelled, isLockTimeout, isUnavailable } from '../../database/connection-loss.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { runExclusively } from '../../database/run-exclusively.ts';
import { addBalances, balancesOf, chainBalances } from '../balances/chain-balances.ts';
import { beginAgainSql } from '../expectations/queries.ts';
import { findFormat } from '../formats/formats.ts';
import { openPace, type Pace, type RestAfter } from '../pace.ts';
import { type StatementFormat, type StatementLine, StatementNotRead, StatementUnreadable } from '../statement.ts';
import type { StatementAccess } from '../statement-access.ts';
import { todayOf } from '../today.ts';
import { compareVersions, type Uncounted } from '../versions/compare-versions.ts';
import { type CheckedStatement, checkStatement, type FileToCheck, openContent, rowsOf } from './check-statement.ts';
import { decimalText, type FileTotals, minorUnits, noRows, sumOf, uncountedSum, wholeToOf } from './decide-totals.ts';
import {
  addFeeBreaksSql,
  addForeignBreakSql,
  addLinesSql,
  addUnparsedBreaksSql,
  addUnparsedSql,
  beginChannelSql,
  coverDaysSql,
  finishFileSql,
  nextFilesSql,
  refuseFileSql,
  storedLinesSql,
} from './queries.ts';

interface NextFile extends Omit<FileToCheck, 'today'> {
  merchantId: string;
  fileNo: number;
  channelId: string;
  format: string;
  /** Of its bytes, since the upload. */
  sha256: string;
  /** The version of the format with which it was received. */
  formatVersion: number | null;
}

interface WaitingFile extends NextFile, FileToCheck {}

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
 * A file that takes too long, or that another session holds, is tried again later, and does not keep others waiting.
 */
export async function importNextStatement(
  domain: ImportAccess,
  isEnding: () => boolean = () => false,
  restAfter?: RestAfter,
): Promise<ImportOutcome> {
  const course = { isEnding, pace: openPace(isEnding, restAfter) };
  const { rows } = await domain.database.pool.query<NextFile>(nextFilesSql, [maxTried]);
  for (const file of rows) {
    try {
      return await importFile(domain, { ...file, today: await todayOf(domain, file.country) }, course);
    } catch (error) {
      if (isUnavailable(error) && !isLockTimeout(error)) throw error;
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
  const format = await findFormat(domain, file.format, file.formatVersion);
  if (!format) return refuse(domain, file, `the format ${file.format} is not installed`);
  const checked = await check(domain, file, format, course);
  if (checked === 'paused') return 'paused';
  if (checked.problem !== null) return refuse(domain, file, checked.problem);
  try {
    if (!(await store(domain, file, format, course))) return 'paused';
    return (await finish(domain, file, checked.totals)) ? 'imported' : 'paused';
  } catch (error) {
    if (isPassing(error)) throw error;
    if (error instanceof StatementUnreadable) return refuse(domain, file, error.message);
    domain.log.error({ err: error, fileNo: file.fileNo, format: file.format }, 'a statement cannot be stored');
    return refuse(domain, file, 'cannot be stored');
  }
}

/** Whether the file is not the cause, so that it can be imported later. */
function isPassing(error: unknown): boolean {
  return isUnavailable(error) || isCancelled(error) || error instanceof StatementNotRead;
}

async function refuse({ database }: DatabaseAccess, file: WaitingFile, reason: string): Promise<'refused'> {
  await database.pool.query(refuseFileSql, [file.merchantId, file.fileNo, truncateText(reason, 300)]);
  return 'refused';
}

/** Reads the whole file without storing anything. */
async function check(
  domain: ImportAccess,
  file: WaitingFile,
  format: StatementFormat,
  { isEnding, pace }: Course,
): Promise<CheckedStatement | 'paused'> {
  const rest = ({ rows }: FileTotals): boolean | Promise<boolean> =>
    rows % batchSize === 0 ? pace.rest().then(() => !isEnding()) : !isEnding();
  try {
    return (await checkStatement(file, format, openContent(domain, file), rest)) ?? 'paused';
  } catch (error) {
    if (isPassing(error)) throw error;
    domain.log.error({ err: error, fileNo: file.fileNo, format: file.format }, 'a statement cannot be read');
    return { totals: noRows, problem: 'cannot be read' };
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
  for await (const row of rowsOf(file, format, openContent(domain, file))) {
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

/**
 * What the rows that no line shows come to beyond what was booked for earlier versions of them, in minor units. Those of a part of what counts already count
 * with that. Unknown is nothing.
 */
function uncountedNow(totals: FileTotals, { booked, isPart }: Uncounted): bigint {
  const own = uncountedSum(totals);
  const isUnknown = own === null && totals.unparsed + totals.foreign > 0;
  return isPart || isUnknown ? 0n : (own ?? 0n) - minorUnits(booked);
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
    const whole = [wholeToOf(totals), timeZoneOf[file.country]];
    const read = [lines, unparsed, firstDay, lastDay, ...found, ...whole];
    const done = await client.query<{ wholeUntil: string }>(finishFileSql, [merchantId, fileNo, ...read]);
    if (done.rowCount === 0) return true;
    const account = summaries.find((one) => one.account !== null)?.account ?? null;
    const inserted = await client.query(beginChannelSql, [merchantId, channelId, firstDay, account]);
    if (inserted.rowCount === 1) await client.query(beginAgainSql, [merchantId]);
    const currency = currencyOf[file.country];
    await addBalances(client, file, balancesOf(totals));
    const earlier = await compareVersions(client, { merchantId, fileNo, channelId, currency });
    const wholeUntil = done.rows[0]?.wholeUntil ?? null;
    await client.query(coverDaysSql, [merchantId, fileNo, channelId, firstDay, lastDay, wholeUntil]);
    await client.query(addFeeBreaksSql, [merchantId, fileNo, channelId, currency]);
    const uncounted = decimalText(uncountedNow(totals, earlier));
    const added = [merchantId, fileNo, channelId, firstDay, uncounted];
    if (unparsed > 0) await client.query(addUnparsedBreaksSql, added);
    else if (uncounted !== '0.00') await client.query(addForeignBreakSql, added);
    await chainBalances(client, file, firstDay);
    return true;
  });
}
