import type { DatabaseAccess } from '../database/database.ts';
import { runExclusively } from '../database/run-exclusively.ts';
import { addToAccountTotalsSql } from './queries.ts';

/** How many merchants one call takes at most, and how many transfers of each. */
const most = { merchants: 100, transfers: 2_000 };

/**
 * Adds merchants' newest transfers to the totals of the platform's accounts. Transfers are numbered without gaps under
 * the merchant's lock, so the last number is the position of a total. The merchant with the oldest total comes first,
 * so that a busy merchant delays no other. Only the database adds. Resolves to whether there may be more than one call takes. It is never
 * urgent, because readers add the transfers that are not in a total yet.
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
