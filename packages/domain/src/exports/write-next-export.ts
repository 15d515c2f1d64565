import { createHash } from 'node:crypto';
import { truncateText } from '../core/channel-answer.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { isCancelled, isUnavailable } from '../database/connection-loss.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { inChunks } from '../database/in-chunks.ts';
import type { VaultAccess } from '../database/vault.ts';
import { writeCsv } from './formats/csv.ts';
import { writeHtml } from './formats/html.ts';
import type { WriteSheet } from './formats/sheet.ts';
import { writeXlsx } from './formats/xlsx.ts';
import { ExportProblem, type Source } from './kinds/source.ts';
import { openSource } from './open-source.ts';
import { addChunkSql, claimSql, dropChunksSql, failSql, finishSql, giveBackSql, progressSql } from './queries.ts';
import { type ClaimedExport, type ExportFormat, exportLimits } from './types.ts';

/**
 * `nothing`: none waits. `paused`: the process ends, and another one begins again. `lost`: it was cancelled, or another process has taken it over.
 */
export type ExportOutcome = 'nothing' | 'ready' | 'failed' | 'paused' | 'lost';

type WriteAccess = DatabaseAccess & VaultAccess & Pick<Telemetry, 'log'>;

/** Longer than one page or chunk can take, in ms. After it another process begins again. */
const exportLease = 60_000;

/** Processes that may begin one export. After them it has failed: to write it probably ends the process. */
const maxRuns = 10;

/** How often a run that stores nothing renews its lease, in ms. */
const progressEvery = 2_000;

const formats: Record<ExportFormat, WriteSheet> = { csv: writeCsv, xlsx: writeXlsx, html: writeHtml };

class Paused extends Error {}
class Lost extends Error {}

/**
 * Writes the export that has waited longest: rows by key, outside of any transaction, as chunks of its file. After a crash it begins again. What it
 * exports was fixed when it was requested, so the file is the same unless its rows have changed.
 */
export async function writeNextExport(
  domain: WriteAccess,
  isEnding: () => boolean = () => false,
): Promise<ExportOutcome> {
  const { pool } = domain.database;
  const { rows } = await pool.query<ClaimedExport>(claimSql, [exportLease]);
  const [claimed] = rows;
  if (!claimed) return 'nothing';
  const { exportId, runNo, kind } = claimed;
  try {
    if (runNo > maxRuns) throw new ExportProblem(`it was begun ${maxRuns} times and never finished`);
    await pool.query(dropChunksSql, [exportId, runNo]);
    await write(domain, claimed, isEnding);
    return 'ready';
  } catch (error) {
    if (error instanceof Lost) return 'lost';
    if (error instanceof Paused) {
      await pool.query(giveBackSql, [exportId, runNo]);
      return 'paused';
    }
    // The lease ends, and another run begins again.
    if (isUnavailable(error) || isCancelled(error)) throw error;
    const reason = error instanceof ExportProblem ? error.message : 'it cannot be written';
    if (!(error instanceof ExportProblem))
      domain.log.error({ err: error, exportId, kind }, 'an export cannot be written');
    const { rowCount } = await pool.query(failSql, [exportId, runNo, truncateText(reason, 300)]);
    if (rowCount === 0) return 'lost';
    await pool.query(dropChunksSql, [exportId, runNo]);
    return 'failed';
  }
}

async function write(domain: WriteAccess, claimed: ClaimedExport, isEnding: () => boolean): Promise<void> {
  const { exportId, runNo, format, name } = claimed;
  const { pool } = domain.database;
  const source = await openSource(domain, claimed);
  const progress = openProgress(domain, claimed, source.expected, isEnding);
  await progress.say();
  const hash = createHash('sha256');
  let size = 0;
  let chunkNo = 0;
  for await (const chunk of inChunks(formats[format]({ ...source, pages: progress.counted(source) }, titleOf(name)))) {
    size += chunk.length;
    if (size > exportLimits.bytes)
      throw new ExportProblem(`the file would be larger than ${exportLimits.bytes / 1024 ** 2} MiB: narrow the filter`);
    hash.update(chunk);
    const values = [exportId, runNo, chunkNo, chunk, progress.rows(), exportLease];
    const { rowCount } = await pool.query(addChunkSql, values);
    if (rowCount === 0) throw new Lost();
    chunkNo += 1;
  }
  const { rowCount } = await pool.query(finishSql, [exportId, runNo, progress.rows(), size, hash.digest('hex')]);
  if (rowCount === 0) throw new Lost();
}

/** The name of the file without its random part, so that equal exports have equal bytes. */
function titleOf(name: string): string {
  return name.replace(/-[0-9a-f]{4}\.[a-z]+$/, '');
}

/** Counts the rows while they are written, and holds the export meanwhile. */
function openProgress(
  { database }: DatabaseAccess,
  { exportId, runNo, format }: ClaimedExport,
  expected: number | null,
  isEnding: () => boolean,
) {
  const most = exportLimits.rows[format];
  let rows = 0;
  let saidAt = performance.now();
  const say = async (): Promise<void> => {
    saidAt = performance.now();
    const values = [exportId, runNo, rows, expected, exportLease];
    const { rowCount } = await database.pool.query(progressSql, values);
    if (rowCount === 0) throw new Lost();
  };
  const limit = (count: number | null): void => {
    if ((count ?? 0) > most) throw new ExportProblem(`it has more than ${most} rows: narrow the filter`);
  };
  return {
    say,
    rows: () => rows,
    async *counted({ pages }: Source): Source['pages'] & AsyncGenerator {
      limit(expected);
      for await (const page of pages) {
        if (isEnding()) throw new Paused();
        rows += page.length;
        limit(rows);
        if (performance.now() - saidAt > progressEvery) await say();
        yield page;
      }
    },
  };
}
