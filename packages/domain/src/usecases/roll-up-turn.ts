import type { PoolClient } from 'pg';
import type { DatabaseAccess } from '../store/database.ts';

const locks = { orders: 720_140_941, accounts: 720_140_942 };

/**
 * Does a piece of a roll-up in a transaction of its own, unless another process is at it: then false, for there is nothing left to do. Resolves to what the
 * piece says: whether there is more.
 */
export async function inTurn(
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
