import type pg from 'pg';
import { isConnectionLoss } from './connection-loss.ts';
import { refuseSilentRollback } from './run-statement.ts';

export interface TransactionOptions<T> {
  /** The SQL that begins it, with its settings. Default: `begin`. */
  begin?: string;
  /** Whether its changes are kept. It is asked just before the end. Default: always. */
  keeps?: (result: T) => boolean;
}

/** Runs `work` on a connection of `pool`. A lost connection is not used again. */
export async function onConnection<T>(
  pool: Pick<pg.Pool, 'connect'>,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isLost = false;
  try {
    return await work(client);
  } catch (error) {
    isLost = isConnectionLoss(error);
    throw error;
  } finally {
    client.release(isLost);
  }
}

/** Runs `work`, which begins and ends a transaction itself, in few round trips. If it fails, the transaction is rolled back. */
export async function rollBackOnFailure<T>(client: Pick<pg.PoolClient, 'query'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // A lost connection has ended its transaction, or would not answer.
    if (!isConnectionLoss(error)) await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Runs `work` in a transaction of the connection `client`, and ends it. */
export function transact<T>(
  client: pg.PoolClient,
  work: (client: pg.PoolClient) => Promise<T>,
  { begin = 'begin', keeps = () => true }: TransactionOptions<T> = {},
): Promise<T> {
  return rollBackOnFailure(client, async () => {
    await client.query(begin);
    const result = await work(client);
    if (keeps(result)) refuseSilentRollback(await client.query('commit'));
    else await client.query('rollback');
    return result;
  });
}

/** Runs `work` in a transaction of its own, on a connection of `pool`. */
export function inTransaction<T>(
  pool: Pick<pg.Pool, 'connect'>,
  work: (client: pg.PoolClient) => Promise<T>,
  options: TransactionOptions<T> = {},
): Promise<T> {
  return onConnection(pool, (client) => transact(client, work, options));
}
