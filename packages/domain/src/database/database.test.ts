import { createTestDatabase } from '@tidegate/sandbox/testing';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';

test.each([
  [{}, { statement: '15s', lock: '5s', idle: '5s' }],
  [{ timeoutMs: 1_000 }, { statement: '15s', lock: '700ms', idle: '5s' }],
  [{ migrating: { statementMs: 600_000, lockMs: 2_000 } }, { statement: '10min', lock: '2s', idle: '15s' }],
])(
  'with %j the time limits are %j: a migration may take long, but may not block other sessions',
  async (options, expected) => {
    const database = await openDatabase((await createTestDatabase()).url, { connections: 1, ...options });
    try {
      const { rows } = await database.pool.query(
        `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle`,
      );
      expect(rows).toEqual([expected]);
    } finally {
      await database.close();
    }
  },
);
