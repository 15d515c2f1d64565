import type pg from 'pg';
import { begin } from './begin.ts';
import type { Statement } from './columns.ts';
import { isConnectionLoss } from './connection-loss.ts';

export interface StatementWithValues {
  statement: Statement;
  values: unknown[];
}

/**
 * Runs named statements in one transaction and one round trip, under the ledger writer's settings. These keep plans to
 * index look-ups: planning takes several times as long as the work, and a plan made for small tables would stay.
 * `settings` are added, e.g. `enable_sort = off`. Returns the rows of each statement.
 */
export async function runPinned(
  pool: pg.Pool,
  statements: readonly StatementWithValues[],
  settings: readonly string[] = [],
): Promise<object[][]> {
  const client = await pool.connect();
  let broken = true;
  try {
    const beginning = client.query([begin, ...settings.map((one) => `set local ${one}`)].join('; '));
    const answers = statements.map(({ statement, values }) => client.query<object>({ ...statement, values }));
    const sent = await Promise.allSettled([beginning, ...answers, client.query('commit')]);
    broken = sent.some((outcome) => outcome.status === 'rejected' && isConnectionLoss(outcome.reason));
    const results = sent.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
    // A commit after a failed statement answers ROLLBACK without an error.
    if (results.at(-1)?.command !== 'COMMIT') throw new Error('the transaction was rolled back');
    return results.slice(1, -1).map(({ rows }) => rows);
  } finally {
    client.release(broken);
  }
}
