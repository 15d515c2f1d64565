import type { Domain } from '../open-domain.ts';

/**
 * The parts of a query's plan that read a table, or an index, from end to end, although an index would do: small tables of tests would always be read so. `prepare`:
 * statements before it.
 */
export async function wholeScansOf(
  domain: Domain,
  { text, values, prepare = '' }: { text: string; values: unknown[]; prepare?: string },
): Promise<string[]> {
  const client = await domain.database.pool.connect();
  try {
    await client.query(`begin; set local enable_seqscan = off; set local enable_bitmapscan = off; ${prepare}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    const lines = rows.map((row) => row['QUERY PLAN'].trim());
    return lines.filter(
      (line, at) =>
        / Seq Scan on /.test(line) || (/Index (Only )?Scan/.test(line) && !/Index Cond/.test(lines[at + 1] ?? '')),
    );
  } finally {
    await client.query('rollback');
    client.release();
  }
}
