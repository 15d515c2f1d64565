import type { PoolClient } from 'pg';
import type { Country } from '../../core/country.ts';
import { timeZoneOf } from '../../countries/index.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { runExclusively } from '../../database/run-exclusively.ts';
import {
  changeReasonSql,
  endExplainedSql,
  matchedDaysSql,
  openBreaksSql,
  wantLineBreaksSql,
  wantMissingAtChannelSql,
} from '../breaks/statements.ts';
import {
  analyzeOpenSql,
  createOpenTablesSql,
  differingSteps,
  dueChannelsSql,
  fillOpenExpectationsSql,
  fillOpenLinesSql,
  matchingSteps,
} from './statements.ts';

/** How long one statement may take: a day of a million lines takes longer than what merchants wait for. */
const patienceMs = 240_000;

interface DueChannel {
  merchantId: string;
  channelId: string;
  currency: string;
  country: Country;
  tolerance: string;
}

/**
 * Matches the due days of one channel, and lists what is left as breaks, in one transaction. To run it again changes nothing. What is on a closed day
 * is neither matched nor posted; if it is open, it is a break of that day. Resolves to whether there may be more.
 */
export function matchNextChannel(domain: DatabaseAccess): Promise<boolean> {
  return runExclusively(domain, 'reconciliation', async (client) => {
    const { rows } = await client.query<DueChannel>(dueChannelsSql, [2]);
    const [channel] = rows;
    if (channel) await matchChannel(client, channel);
    return rows.length > 1;
  });
}

async function matchChannel(
  client: PoolClient,
  { merchantId, channelId, currency, country, tolerance }: DueChannel,
): Promise<void> {
  const run = (text: string, values: unknown[] = []) => {
    // The driver's own limit for one statement.
    const patient = { text, values, query_timeout: patienceMs + 5_000 };
    return client.query(patient);
  };
  await client.query(`set local statement_timeout = ${patienceMs}`);
  await client.query(createOpenTablesSql);
  const of = [merchantId, channelId];
  await run(fillOpenLinesSql, [...of, currency]);
  await run(fillOpenExpectationsSql, [...of, timeZoneOf[country]]);
  await run(analyzeOpenSql);
  for (const step of matchingSteps(tolerance !== '0.00'))
    await run(step.text, step.isTolerant ? [merchantId, tolerance] : [merchantId]);
  for (const text of differingSteps) await run(text, [currency]);
  await run(wantLineBreaksSql, [...of, currency]);
  await run(wantMissingAtChannelSql);
  await run(endExplainedSql, of);
  await run(changeReasonSql, [merchantId]);
  await run(openBreaksSql, of);
  await run(matchedDaysSql, of);
}
