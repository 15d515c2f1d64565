import type pg from 'pg';
import { begin } from './begin.ts';
import type { Statement } from './columns.ts';
import { isConnectionLoss } from './connection-loss.ts';

/** A statement with its values. */
export interface StatementWithValues {
  statement: Statement;
  values: unknown[];
}

/**
 * Runs named statements in one transaction, under the ledger writer's settings, which hold their plans to index look-ups: planning takes several
 * times as long as the work, and a plan that was made while the tables were small would be kept. One round trip; gives the rows of each.
 * `settings` are further ones, e.g. `enable_sort = off`.
 */
export async function runPinned(
  pool: pg.Pool,
  asked: readonly StatementWithValues[],
  settings: readonly string[] = [],
): Promise<object[][]> {
  const client = await pool.connect();
  let broken = true;
  try {
    const beginning = client.query([begin, ...settings.map((one) => `set local ${one}`)].join('; '));
    const answers = asked.map(({ statement, values }) => client.query<object>({ ...statement, values }));
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
