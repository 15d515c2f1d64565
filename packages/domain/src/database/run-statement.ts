import type { PoolClient, QueryResult } from 'pg';
import type { Statement } from './columns.ts';

/** A commit after a failed statement answers ROLLBACK without an error. */
export function refuseSilentRollback(result: QueryResult): void {
  if (result.command !== 'COMMIT') throw new Error('the transaction was rolled back');
}

/**
 * Waits for all, so that no answer arrives on a connection that is already used by another caller. Throws the first
 * failure.
 */
export async function settle(promises: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Runs one named statement, and returns its rows. */
export async function run<Row extends object>(
  client: PoolClient,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await client.query<Row>({ ...statement, values });
  return rows;
}
