import type pg from 'pg';
import { begin } from './batch.ts';
import { isConnectionLoss } from './commit.ts';
import type { Statement } from './statements.ts';

/**
 * Runs one named statement in a transaction of its own, under the seam's settings, which hold its plan to index look-ups: planning takes several
 * times as long as the work, and a plan that was made while the tables were small would be kept. One round trip.
 * `settings` are further ones, e.g. `enable_sort = off`.
 */
export async function runPinned<Row extends object>(
  pool: pg.Pool,
  statement: Statement,
  values: unknown[],
  settings: readonly string[] = [],
): Promise<Row[]> {
  const client = await pool.connect();
  let broken = true;
  try {
    const beginning = client.query([begin, ...settings.map((one) => `set local ${one}`)].join('; '));
    const asked = client.query<Row>({ ...statement, values });
    const sent = await Promise.allSettled([beginning, asked, client.query('commit')]);
    broken = sent.some((outcome) => outcome.status === 'rejected' && isConnectionLoss(outcome.reason));
    const { rows } = await asked;
    const [began, , committed] = sent;
    if (began.status === 'rejected') throw began.reason;
    if (committed.status === 'rejected') throw committed.reason;
    // A commit after a failed statement answers ROLLBACK without an error.
    if (committed.value.command !== 'COMMIT') throw new Error(`${statement.name} was rolled back`);
    return rows;
  } finally {
    client.release(broken);
  }
}
