import type { PoolClient } from 'pg';
import type { DatabaseAccess } from '../../../database/database.ts';
import { runExclusively } from '../../../database/run-exclusively.ts';
import { requireVisibleTransactions } from '../../../database/session-visibility.ts';
import { additionsSql, horizonSql, type RollUp, rangeSql, saveProgressSql } from './queries.ts';

/** How many transitions one call takes at most. */
const most = 20_000;

/**
 * Adds orders that ended since the last call to the figures by hour and day. Resolves to whether there was more than one
 * call takes: then call it again. One process does it at a time. It is never urgent, because readers add what is not in
 * the figures yet.
 */
export function rollUpOrders(domain: DatabaseAccess, limit = most): Promise<boolean> {
  return rollUp(domain, 'orders', limit);
}

/**
 * Like `rollUpOrders`, for the figures by quarter hour, by bank and by failure reason. After the upgrade that
 * introduced them it starts with the oldest order, and many calls are needed until it reaches the present.
 */
export function rollUpFacets(domain: DatabaseAccess, limit = most): Promise<boolean> {
  return rollUp(domain, 'facets', limit);
}

function rollUp(domain: DatabaseAccess, what: RollUp, limit: number): Promise<boolean> {
  return runExclusively(domain, what, async (client) => {
    await requireVisibleTransactions(client);
    // Runs before the next statement's snapshot, which therefore sees all transactions that began earlier and have
    // written.
    const horizon = await client.query<{ horizon: string }>(horizonSql);
    const range = await client.query<{ from: string; to: string; isMore: boolean }>(rangeSql(what), [
      horizon.rows[0]?.horizon,
      limit,
    ]);
    const { from, to, isMore } = range.rows[0] ?? {};
    if (from === undefined || to === undefined) return false;
    await add(client, what, from, to);
    return isMore ?? false;
  });
}

async function add(client: PoolClient, what: RollUp, from: string, to: string): Promise<void> {
  for (const text of additionsSql[what]) await client.query(text, [from, to]);
  await client.query(saveProgressSql(what), [to]);
}
