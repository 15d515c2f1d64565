import type { PoolClient } from 'pg';
import type { Telemetry } from '../../core/telemetry.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { insertAcceptable } from '../../database/insert-acceptable.ts';
import { runExclusively } from '../../database/run-exclusively.ts';
import { requireVisibleTransactions } from '../../database/session-visibility.ts';
import type { VaultAccess } from '../../database/vault.ts';
import {
  createdHorizonSql,
  foundSinceSql,
  foundUntilSql,
  insertSearchRowsSql,
  newOrdersSql,
  newSearchedSql,
  olderOrdersSql,
  olderSearchedSql,
  searchUntilSql,
} from './queries.ts';
import { type Searched, searchRowOf } from './search-keys.ts';

type Access = DatabaseAccess & VaultAccess & Pick<Telemetry, 'log'>;

/** Orders that one call takes. */
const most = 2_000;

interface Range {
  from: string;
  to: string;
  isMore: boolean;
}

/**
 * Makes orders findable by the beginning of a number, by account, phone and name: new ones first, then those from before the search existed, newest first. Processes of any
 * version may have created them. Resolves to whether there is more: then call it again. One process does it at a time.
 * An order that the database refuses is logged and left out.
 */
export function fillOrderSearch(domain: Access, limit = most): Promise<boolean> {
  return runExclusively(domain, 'search', async (client) => {
    await requireVisibleTransactions(client);
    // Runs before the next statement's snapshot, which therefore sees all orders up to this moment.
    const horizon = await client.query<{ horizon: string }>(createdHorizonSql);
    const [newer] = (await client.query<Range>(newOrdersSql, [horizon.rows[0]?.horizon, limit])).rows;
    if (newer) {
      await insert(domain, client, newSearchedSql, newer);
      await client.query(foundUntilSql, [newer.to]);
      if (newer.isMore) return true;
    }
    const [older] = (await client.query<Range>(olderOrdersSql, [limit])).rows;
    if (!older) return false;
    await insert(domain, client, olderSearchedSql, older);
    await client.query(foundSinceSql, [older.from]);
    return older.isMore;
  });
}

/** Up to when, in Unix ms, created orders can be found; null before the first order could be. */
export async function orderSearchUntil({ database }: DatabaseAccess): Promise<number | null> {
  const { rows } = await database.pool.query<{ until: number }>(searchUntilSql);
  return rows[0]?.until ?? null;
}

async function insert(
  { vault, log }: Access,
  client: PoolClient,
  searchedSql: string,
  { from, to }: Range,
): Promise<void> {
  const { rows } = await client.query<Searched>(searchedSql, [from, to]);
  const found = rows.map((order) => searchRowOf(vault, order));
  for (const { orderNo } of await insertAcceptable(client, insertSearchRowsSql, found))
    log.error({ orderNo }, 'an order cannot be found by account, phone and name: the database refuses what it says');
}
