import { openDatabase } from '../../database/database.ts';

/**
 * From now on every row must be in the ledger chain. The next whole audit seals the older rows that are not. Use it
 * only when no process of a version without the chain runs any more: its later rows would become findings. `lift`:
 * before such a version is restored. A repeated call changes nothing. Resolves to the time since when it is required,
 * in Unix ms; null: not required.
 */
export async function requireChain(url: string, { lift = false }: { lift?: boolean } = {}): Promise<number | null> {
  const database = await openDatabase(url, { connections: 1 });
  try {
    await database.pool.query(lift ? liftSql : requireSql);
    const { rows } = await database.pool.query<{ since: number | null }>(
      "select round(date_part('epoch', required_since) * 1000) as since from ledger_chain",
    );
    return rows[0]?.since ?? null;
  } finally {
    await database.close();
  }
}

const requireSql =
  'update ledger_chain set required_since = clock_timestamp(), sealed_at = null where required_since is null';
const liftSql = 'update ledger_chain set required_since = null, sealed_at = null where required_since is not null';
