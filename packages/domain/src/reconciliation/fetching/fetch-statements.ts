import { randomUUID } from 'node:crypto';
import { type ChannelAccess, callStatement } from '../../channels/index.ts';
import { truncateText } from '../../core/channel-answer.ts';
import type { Country } from '../../core/country.ts';
import type { TimeScale } from '../../core/schedule.ts';
import type { Telemetry } from '../../core/telemetry.ts';
import { countries, timeZoneOf } from '../../countries/index.ts';
import { isCancelled, isUnavailable } from '../../database/connection-loss.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { runExclusively } from '../../database/run-exclusively.ts';
import { asLedger } from '../as-ledger.ts';
import { type ReceivedStatement, receiveStatement } from '../files/receive-statement.ts';
import { findFormat } from '../formats/formats.ts';
import { largestStatement } from '../statement.ts';
import type { StatementAccess } from '../statement-access.ts';
import { type FetchOutcome, fetchTimes, maxBytesOfDay, maxDaysBack, waitAfter } from './decide-fetch.ts';
import { endFetches } from './end-fetches.ts';
import { offeredFormats } from './offered-formats.ts';
import {
  addBytesSql,
  claimFetchSql,
  endAttemptSql,
  fetchingChannelsSql,
  missingStatementsSql,
  planFetchesSql,
} from './queries.ts';
import { type Fetch, startImport } from './start-import.ts';
import { openTransfer, TransferBroken } from './transfer.ts';

export type FetchAccess = DatabaseAccess & Pick<ChannelAccess, 'channels'> & StatementAccess & TimeScale & Telemetry;

/** How long one run begins new attempts, in ms. The next run continues. */
const runMs = 30_000;

/** The result of an attempt: a file that waits for its import, or nothing. */
type Attempt = { outcome: 'received'; fileNo: number } | { outcome: FetchOutcome; detail: string };

/**
 * One run of the schedule. Adds the days that are over, and fetches the statements that are due, one file at a time from
 * each channel. A fetched file is stored like an uploaded one, and `reconcile` imports it. Each step can be repeated:
 * after a crash a statement is fetched again when its lease is over, and the same content is stored once.
 * `ending` aborts when the process shuts down. The transfer under way then ends.
 */
export async function fetchStatements(access: FetchAccess, ending: AbortSignal): Promise<'found' | 'nothing'> {
  const domain = asLedger(access);
  // Imports may have ended since the last run, and again while this run fetches.
  await endFetches(domain);
  await planFetches(domain);
  let found: 'found' | 'nothing' = 'nothing';
  for (const end = performance.now() + runMs; performance.now() < end && !ending.aborted; ) {
    const fetch = await claimFetch(domain);
    if (!fetch) break;
    found = 'found';
    await attempt(domain, fetch, ending);
  }
  await endFetches(domain);
  return found;
}

/** How many statements are missing at each channel from which they are fetched, for metrics. */
export async function countMissingStatements({
  database,
}: DatabaseAccess): Promise<{ channelId: string; count: number }[]> {
  const zones = countries.map((country) => timeZoneOf[country]);
  const { rows } = await database.reading.query<{ channelId: string; count: number }>(missingStatementsSql, [
    countries,
    zones,
  ]);
  return rows;
}

async function planFetches(domain: FetchAccess): Promise<void> {
  const { pool } = domain.database;
  const { rows } = await pool.query<{ channelId: string }>(fetchingChannelsSql);
  const offers: { channelId: string; format: string }[] = [];
  for (const { channelId } of rows)
    for (const format of await offeredFormats(domain, channelId)) offers.push({ channelId, format });
  if (offers.length === 0) return;
  await pool.query(planFetchesSql, [
    offers.map(({ channelId }) => channelId),
    offers.map(({ format }) => format),
    countries,
    countries.map((country) => timeZoneOf[country]),
    maxDaysBack,
    fetchTimes.firstTry * domain.scheduleScale,
    fetchTimes.lifetime,
  ]);
}

/** The next day to fetch; null: none is due, or another process looks for one now. */
async function claimFetch(domain: FetchAccess): Promise<(Fetch & { country: Country }) | null> {
  let claimed: (Fetch & { country: Country }) | null = null;
  await runExclusively(domain, 'fetches', async (client) => {
    const values = [randomUUID(), fetchTimes.lease, maxBytesOfDay];
    const { rows } = await client.query<Fetch & { country: Country }>(claimFetchSql, values);
    claimed = rows[0] ?? null;
    // One claim at a time: `runExclusively` need not say whether there are more.
    return false;
  });
  return claimed;
}

async function attempt(domain: FetchAccess, fetch: Fetch, ending: AbortSignal): Promise<void> {
  const { merchantId, channelId, format, day, attempts, holder } = fetch;
  const about = { channelId, format, day, attempts };
  const result = await fetchFile(domain, fetch, ending);
  if (result.outcome === 'received') {
    domain.log.info({ ...about, fileNo: result.fileNo }, 'a statement was fetched');
    return;
  }
  const { outcome } = result;
  const detail = truncateText(result.detail, 300);
  // A process that shuts down gives the day back at once.
  const wait = ending.aborted ? 0 : waitAfter(outcome, attempts) * domain.scheduleScale;
  const values = [merchantId, channelId, format, day, holder, 'due', wait, outcome, detail, null];
  await domain.database.pool.query(endAttemptSql, values);
  const level = outcome === 'not_ready' ? 'debug' : 'warn';
  domain.log[level]({ ...about, outcome, detail }, 'a statement was not fetched');
}

async function fetchFile(domain: FetchAccess, fetch: Fetch, ending: AbortSignal): Promise<Attempt> {
  const { merchantId, channelId, format, day, requestedBy, bytes } = fetch;
  const reader = await findFormat(domain, format);
  if (!reader) return { outcome: 'unknown', detail: `the format ${format} is not installed` };
  const signal = AbortSignal.any([ending, AbortSignal.timeout(fetchTimes.deadline)]);
  try {
    const answer = await callStatement(domain, channelId, { format, day }, signal);
    if (answer.outcome !== 'ready') return answer;
    const name = `${channelId} ${format} ${day}`.slice(-100);
    const source = { tenant: merchantId, name, uploadedBy: requestedBy ?? 'the schedule' };
    const received = await receive(
      domain,
      fetch,
      {
        ...source,
        largest: Math.min(largestStatement, maxBytesOfDay - bytes),
      },
      openTransfer(answer.bytes, signal),
    );
    if (!received.ok && received.problem === 'empty') return { outcome: 'unknown', detail: 'is empty' };
    if (!received.ok) return { outcome: 'refused', detail: 'is too large' };
    return await startImport(domain, fetch, received.file, reader.version);
  } catch (error) {
    if (error instanceof TransferBroken) return { outcome: 'unknown', detail: error.message };
    if (isUnavailable(error)) throw error;
    if (!isCancelled(error)) domain.log.error({ err: error, channelId, format, day }, 'a statement cannot be stored');
    return { outcome: 'unknown', detail: 'cannot be stored' };
  }
}

/** Stores the transferred bytes, and counts them for the day, whether or not they are used. */
async function receive(
  domain: FetchAccess,
  { merchantId, channelId, format, day, holder }: Fetch,
  source: Parameters<typeof receiveStatement>[1],
  transfer: ReturnType<typeof openTransfer>,
): Promise<ReceivedStatement> {
  try {
    return await receiveStatement(domain, source, transfer.bytes);
  } finally {
    const values = [merchantId, channelId, format, day, holder, transfer.transferred()];
    await domain.database.pool.query(addBytesSql, values);
  }
}
