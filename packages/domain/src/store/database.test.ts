import { createTestDatabase } from '@tidegate/sandbox/testing';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';

test.each([
  [{}, '15s'],
  [{ isMigrating: true }, '0'],
])('with %j a statement may take %s: only a migration has all the time that it needs', async (options, expected) => {
  const database = await openDatabase((await createTestDatabase()).url, { connections: 1, ...options });
  try {
    const { rows } = await database.pool.query(
      `select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(rows).toEqual([{ statement: expected, idle: expected }]);
  } finally {
    await database.close();
  }
});
