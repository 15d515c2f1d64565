import type { PoolClient } from 'pg';
import {
  addChangedBreaksSql,
  addMissingBreaksSql,
  analyzeVersionsSql,
  createVersionTablesSql,
  fillVersionTablesSql,
  hasEarlierVersionSql,
  lockEarlierBreaksSql,
  matchChangedLinesSql,
  matchSameLinesSql,
  supersedeLinesSql,
  uncountSupersededSql,
} from './statements.ts';

/** How long one statement may take: two versions of a million lines. */
const timeoutMs = 240_000;

/**
 * Compares a fetched file with the earlier versions of its day. Lines that are there already count once. A matched line that is changed or missing is a
 * break over what differs. One that was not matched is replaced. Within the transaction that makes the file's lines count, before they are counted.
 */
export async function compareVersions(
  client: PoolClient,
  {
    merchantId,
    fileNo,
    channelId,
    currency,
  }: { merchantId: string; fileNo: number; channelId: string; currency: string },
): Promise<void> {
  const run = (text: string, values: unknown[] = []) => {
    // The driver's own limit for one statement.
    const patient = { text, values, query_timeout: timeoutMs + 5_000 };
    return client.query(patient);
  };
  const { rowCount } = await client.query(hasEarlierVersionSql, [merchantId, fileNo, channelId]);
  if (rowCount === 0) return;
  await client.query(`set local statement_timeout = ${timeoutMs}`);
  await run(lockEarlierBreaksSql, [merchantId, fileNo, channelId]);
  await client.query(createVersionTablesSql);
  for (const fill of fillVersionTablesSql) await run(fill, [merchantId, fileNo]);
  await run(analyzeVersionsSql);
  await run(matchSameLinesSql, [merchantId]);
  await run(matchChangedLinesSql, [merchantId]);
  await run(addChangedBreaksSql, [merchantId, channelId, currency]);
  await run(addMissingBreaksSql, [merchantId, channelId, currency]);
  await run(supersedeLinesSql, [merchantId, fileNo]);
  await run(uncountSupersededSql, [merchantId, fileNo, channelId, currency]);
}
