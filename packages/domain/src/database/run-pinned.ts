import type pg from 'pg';
import { begin } from './begin.ts';
import type { Statement } from './columns.ts';
import { refuseSilentRollback, settle } from './run-statement.ts';
import { onConnection } from './transaction.ts';

export interface StatementWithValues {
  statement: Statement;
  values: unknown[];
}

/**
 * Runs named statements in one transaction and one round trip, under the ledger writer's settings. These keep plans to
 * index look-ups: planning takes several times as long as the work, and a plan made for small tables would stay.
 * `settings` are added, e.g. `enable_sort = off`. Returns the rows of each statement.
 */
export function runPinned(
  pool: pg.Pool,
  statements: readonly StatementWithValues[],
  settings: readonly string[] = [],
): Promise<object[][]> {
  return onConnection(pool, async (client) => {
    const beginning = client.query([begin, ...settings.map((one) => `set local ${one}`)].join('; '));
    const answers = statements.map(({ statement, values }) => client.query<object>({ ...statement, values }));
    await settle([beginning, ...answers, client.query('commit').then(refuseSilentRollback)]);
    return (await Promise.all(answers)).map(({ rows }) => rows);
  });
}
