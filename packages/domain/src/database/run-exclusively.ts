import type { PoolClient } from 'pg';
import type { DatabaseAccess } from './database.ts';
import { inTransaction } from './transaction.ts';

/** Each kind of work that only one process may do at a time. It has a row in `exclusive_work`. */
export const exclusiveWork = [
  ...(['orders', 'accounts', 'search', 'facets', 'entries', 'channel_call', 'notification_attempt'] as const),
  ...(['expectations', 'reconciliation', 'watch', 'fetches'] as const),
] as const;

/**
 * The lock of the work $1, until the transaction ends. Anyone can take an advisory lock, and no one but a worker this
 * row. No row: another process has it.
 */
export const holdWorkSql = 'select from exclusive_work where name = $1 for update skip locked';

/**
 * Runs `piece` in its own transaction, unless another process is running it. Resolves to the result of `piece`: whether
 * there is more to do. False if another process runs it.
 */
export function runExclusively(
  domain: DatabaseAccess,
  of: (typeof exclusiveWork)[number],
  piece: (client: PoolClient) => Promise<boolean>,
): Promise<boolean> {
  return inTransaction(domain.database.pool, async (client) => {
    const { rowCount } = await client.query(holdWorkSql, [of]);
    return rowCount === 1 && (await piece(client));
  });
}
