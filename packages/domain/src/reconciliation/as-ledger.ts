import type { DatabaseAccess } from '../database/database.ts';

/**
 * The domain with the connections that may write what statements show, what matches it and what differs. Decisions on
 * money read all of that, so the role for reads writes none of it.
 */
export function asLedger<Access extends DatabaseAccess>(domain: Access): Access {
  const { database } = domain;
  return { ...domain, database: { ...database, pool: database.reconciliationPool } };
}
