import type { PoolClient } from 'pg';
import type { DatabaseAccess } from './database.ts';

/** Advisory locks: one number for each kind of work that only one process may do at a time. */
const locks = {
  orders: 720_140_941,
  accounts: 720_140_942,
  search: 720_140_943,
  facets: 720_140_944,
  entries: 720_140_945,
  channel_call: 720_140_946,
  notification_attempt: 720_140_947,
  expectations: 720_140_948,
  reconciliation: 720_140_949,
  watch: 720_140_950,
  fetches: 720_140_951,
};

/**
 * Runs `piece` in its own transaction, unless another process is running it. Resolves to the result of `piece`: whether
 * there is more to do. False if another process runs it.
 */
export async function runExclusively(
  domain: DatabaseAccess,
  of: keyof typeof locks,
  piece: (client: PoolClient) => Promise<boolean>,
): Promise<boolean> {
  const client = await domain.database.pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [locks[of]]);
    const isMore = rows[0]?.mine === true && (await piece(client));
    await client.query('commit');
    return isMore;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
