import type { PoolClient } from 'pg';

/**
 * Runs an insertion of JSON rows ($1) within the client's transaction, and returns the rows that the database refuses
 * for what they say. If it refuses some, halves are tried, down to each refused row. So one row never holds up the
 * others. Rejects for every other error, such as a lost connection.
 */
export async function insertAcceptable<Row extends object>(
  client: PoolClient,
  sql: string,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.length === 0) return [];
  await client.query('savepoint piece');
  try {
    await client.query(sql, [JSON.stringify(rows)]);
    await client.query('release savepoint piece');
    return [];
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await client.query('rollback to savepoint piece; release savepoint piece');
  }
  const [first] = rows;
  if (first && rows.length === 1) return [first];
  const half = Math.ceil(rows.length / 2);
  const refused = await insertAcceptable(client, sql, rows.slice(0, half));
  return [...refused, ...(await insertAcceptable(client, sql, rows.slice(half)))];
}

/** SQLSTATE classes of values that cannot be stored: wrong data, a broken constraint, a value too big for an index. */
function isRefusal(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(22|23|54)/.test(code);
}
