import type { DatabaseAccess } from '../database/database.ts';
import { runExclusively } from '../database/run-exclusively.ts';
import { addToAccountTotalsSql } from './statements.ts';

/** How many merchants one call takes at most, and how many transfers of each. */
const most = { merchants: 100, transfers: 2_000 };

/**
 * Adds merchants' newest transfers to the totals of the platform's accounts. Transfers are numbered without gaps by whoever holds the
 * merchant, so the number alone says how far a total has come. Merchants whose total was moved longest ago come first, so that each has its turn
 * however many are busy. Resolves to whether there may be more than one call takes. Nobody waits for it,
 * and readers add by themselves what is not in yet.
 */
export function rollUpAccounts(domain: DatabaseAccess, limits = most): Promise<boolean> {
  return runExclusively(domain, 'accounts', async (client) => {
    const { rows } = await client.query<{ isMore: boolean }>(addToAccountTotalsSql, [
      limits.merchants,
      limits.transfers,
    ]);
    return rows[0]?.isMore ?? false;
  });
}
