import type { PoolClient } from 'pg';
import {
  addChangedBreaksSql,
  addMissingBreaksSql,
  analyzeVersionsSql,
  countOnceShownSql,
  createVersionTablesSql,
  endUncountedSql,
  fillContinuedSql,
  fillLinesSql,
  fillOverlappingSql,
  fillReplacedSql,
  findChangedLinesSql,
  hasEarlierSql,
  keepReturnedSql,
  keepWholeSql,
  lockEarlierBreaksSql,
  matchChangedLinesSql,
  matchSameLinesSql,
  replaceBalancesSql,
  supersedeLinesSql,
  uncountedSql,
  uncountSupersededSql,
  useOverlappingSql,
} from './queries.ts';

/** How long one statement may take: two versions of a million lines. */
const timeoutMs = 240_000;

/** What a file changes of rows that no line shows: what was booked for those that it shows again, decimal text, and whether its own count already. */
export interface Uncounted {
  booked: string;
  isPart: boolean;
}

/**
 * Compares a file with what other files of its account show of its days. A line that is there already counts once. A matched line that is changed is a
 * break over what differs, and so is one that a version of the same period does not have any more. One that was not matched is replaced. Within the
 * transaction that makes the file's lines count, before they are counted.
 */
export async function compareVersions(
  client: PoolClient,
  {
    merchantId,
    fileNo,
    channelId,
    currency,
  }: { merchantId: string; fileNo: number; channelId: string; currency: string },
): Promise<Uncounted> {
  const run = (text: string, values: unknown[] = []) => {
    // The driver's own limit for one statement.
    const patient = { text, values, query_timeout: timeoutMs + 5_000 };
    return client.query(patient);
  };
  const file = [merchantId, fileNo, channelId];
  const { rowCount } = await client.query(hasEarlierSql, file);
  if (rowCount === 0) return { booked: '0.00', isPart: false };
  await client.query(`set local statement_timeout = ${timeoutMs}`);
  await client.query(createVersionTablesSql);
  await run(fillReplacedSql, [merchantId, fileNo]);
  await run(keepReturnedSql, [merchantId, fileNo]);
  await run(fillOverlappingSql, [merchantId, fileNo]);
  await run(useOverlappingSql, [merchantId, fileNo]);
  await run(fillContinuedSql, [merchantId, fileNo]);
  await run(lockEarlierBreaksSql, file);
  for (const fill of fillLinesSql) await run(fill, file);
  await run(analyzeVersionsSql);
  await run(matchSameLinesSql, [merchantId]);
  await run(countOnceShownSql, file);
  for (const find of findChangedLinesSql) await run(find, [merchantId]);
  await run(keepWholeSql, [merchantId, fileNo]);
  await run(replaceBalancesSql, [merchantId]);
  await run(matchChangedLinesSql, [merchantId]);
  await run(addChangedBreaksSql, [merchantId, channelId, currency]);
  await run(addMissingBreaksSql, [merchantId, channelId, currency]);
  await run(supersedeLinesSql, [merchantId, fileNo]);
  await run(uncountSupersededSql, [merchantId, fileNo, channelId, currency]);
  await run(endUncountedSql, [merchantId]);
  const { rows } = await client.query<Uncounted & object>(uncountedSql, [merchantId, fileNo, currency]);
  const [uncounted] = rows;
  if (!uncounted) throw new Error('the rows without lines were not read');
  return uncounted;
}
