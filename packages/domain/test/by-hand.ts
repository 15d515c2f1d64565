import type pg from 'pg';

/** Runs `work` in a transaction as someone does who may switch the triggers of the database off. */
export async function byHand<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isSound = false;
  try {
    await client.query("begin; set local session_replication_role = 'replica'");
    const done = await work(client);
    await client.query('commit');
    isSound = true;
    return done;
  } finally {
    client.release(!isSound);
  }
}

/** Runs one such statement. Returns how many rows it changed. */
export function changeByHand(pool: pg.Pool, sql: string, values: unknown[] = []): Promise<number> {
  return byHand(pool, async (client) => (await client.query(sql, values)).rowCount ?? 0);
}
