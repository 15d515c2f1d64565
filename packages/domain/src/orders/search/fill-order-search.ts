import type { PoolClient } from 'pg';
import type { DatabaseAccess } from '../../database/database.ts';
import { runExclusively } from '../../database/run-exclusively.ts';
import { requireVisibleTransactions } from '../../database/session-visibility.ts';
import type { Vault, VaultAccess } from '../../database/vault.ts';
import { type Searched, searchRowOf } from './search-keys.ts';
import {
  createdHorizonSql,
  foundSinceSql,
  foundUntilSql,
  insertSearchRowsSql,
  newOrdersSql,
  newSearchedSql,
  olderOrdersSql,
  olderSearchedSql,
} from './statements.ts';

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
 */
export function fillOrderSearch(domain: DatabaseAccess & VaultAccess, limit = most): Promise<boolean> {
  return runExclusively(domain, 'search', async (client) => {
    await requireVisibleTransactions(client);
    // Runs before the next statement's snapshot, which therefore sees all orders up to this moment.
    const horizon = await client.query<{ horizon: string }>(createdHorizonSql);
    const [newer] = (await client.query<Range>(newOrdersSql, [horizon.rows[0]?.horizon, limit])).rows;
    if (newer) {
      await insert(client, domain.vault, newSearchedSql, newer);
      await client.query(foundUntilSql, [newer.to]);
      if (newer.isMore) return true;
    }
    const [older] = (await client.query<Range>(olderOrdersSql, [limit])).rows;
    if (!older) return false;
    await insert(client, domain.vault, olderSearchedSql, older);
    await client.query(foundSinceSql, [older.from]);
    return older.isMore;
  });
}

async function insert(client: PoolClient, vault: Vault, searchedSql: string, { from, to }: Range): Promise<void> {
  const { rows } = await client.query<Searched>(searchedSql, [from, to]);
  const found = rows.map((order) => searchRowOf(vault, order));
  if (found.length > 0) await client.query(insertSearchRowsSql, [JSON.stringify(found)]);
}
