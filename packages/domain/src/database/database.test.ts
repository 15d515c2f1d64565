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

test.each([{}, { migrating: { statementMs: 10_000, lockMs: 1_000 } }])(
  'a connection that the server ends while it waits fails its next statement, and no process: %j',
  async (options) => {
    const { url } = await createTestDatabase();
    const { pool, close } = await openDatabase(url, { connections: 2, ...options });
    const waiting = await pool.connect();
    const { rows } = await waiting.query('select pg_backend_pid() as pid');
    await pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
    await expect(waiting.query('select 1')).rejects.toThrow();
    waiting.release(true);
    await close();
  },
);
