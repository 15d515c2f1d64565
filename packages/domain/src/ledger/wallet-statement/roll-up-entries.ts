import type { DatabaseAccess } from '../../database/database.ts';
import { runExclusively } from '../../database/run-exclusively.ts';
import { addBlocksSql } from './queries.ts';

/** How many wallets one call takes at most, and how many blocks of each. */
const most = { wallets: 50, blocks: 20 };

/**
 * Sums up wallets' entries in blocks, for statements. Resolves to whether there may be more than one call takes. It
 * is never urgent, because readers add the entries that are in no block yet.
 */
export function rollUpEntries(domain: DatabaseAccess, limits = most): Promise<boolean> {
  return runExclusively(domain, 'entries', async (client) => {
    const { rows } = await client.query<{ isMore: boolean }>(addBlocksSql, [limits.wallets, limits.blocks]);
    return rows[0]?.isMore ?? false;
  });
}
