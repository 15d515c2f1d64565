import { truncateText } from '../../core/channel-answer.ts';
import type { Country } from '../../core/country.ts';
import type { TimeScale } from '../../core/schedule.ts';
import type { Telemetry } from '../../core/telemetry.ts';
import { timeZoneOf } from '../../countries/index.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { runExclusively } from '../../database/run-exclusively.ts';
import { coverDaysSql, seenAgainSql } from '../files/queries.ts';
import { decideFetch, type EndedImport, maxBytesOfDay, waitAfter } from './decide-fetch.ts';
import { endedImportsSql, endReceivedSql, endUploadedSql, giveUpSql } from './queries.ts';
import type { Fetch } from './start-import.ts';

type EndAccess = DatabaseAccess & TimeScale & Pick<Telemetry, 'log'>;
type Ended = Omit<Fetch, 'holder' | 'requestedBy' | 'bytes'> & EndedImport & { country: Country };

/** How many ended imports one call handles. */
const maxImports = 200;

/** Ends the days whose file is imported. A refused file is fetched again later, until the day is given up. */
export async function endFetches(domain: EndAccess): Promise<void> {
  const { pool } = domain.database;
  const { rows } = await pool.query<Ended>(endedImportsSql, [maxImports]);
  for (const ended of rows) await endFetch(domain, ended);
  await pool.query(endUploadedSql);
  const givenUp = await pool.query<{ channelId: string; format: string; day: string; detail: string }>(giveUpSql, [
    maxBytesOfDay,
  ]);
  for (const fetch of givenUp.rows) domain.log.warn(fetch, 'a statement was given up: an operator can ask for it');
}

async function endFetch(domain: EndAccess, ended: Ended): Promise<void> {
  const { merchantId, channelId, format, day, attempts, fileNo, country } = ended;
  const { pool } = domain.database;
  const of = [merchantId, channelId, format, day];
  const decided = decideFetch(ended);
  if (decided.type === 'again') {
    const detail = truncateText(decided.detail, 300);
    const wait = waitAfter('refused', attempts) * domain.scheduleScale;
    await pool.query(endReceivedSql, [...of, 'due', wait, 'refused', detail]);
    domain.log.warn({ channelId, format, day, detail }, 'a fetched statement is refused');
    return;
  }
  // Another process may be matching: the next call covers the day.
  if (decided.type === 'cover' && !(await coverDay(domain, { merchantId, channelId, day, fileNo }))) return;
  await pool.query(seenAgainSql, [merchantId, fileNo, timeZoneOf[country]]);
  await pool.query(endReceivedSql, [...of, 'fetched', 0, null, null]);
}

/** Covers the day of a fetched file. All empty files have the same content, which is stored once: so the file alone does not tell the day. */
function coverDay(
  domain: DatabaseAccess,
  { merchantId, channelId, day, fileNo }: Pick<Ended, 'merchantId' | 'channelId' | 'day' | 'fileNo'>,
): Promise<boolean> {
  return runExclusively(domain, 'reconciliation', async (client) => {
    await client.query(coverDaysSql, [merchantId, fileNo, channelId, day, day, day]);
    return true;
  });
}
