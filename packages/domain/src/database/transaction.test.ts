import { createTestDatabase } from '@tidegate/sandbox/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { surviveLoss } from './connection-loss.ts';
import { inTransaction } from './transaction.ts';

let pool: pg.Pool;
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: (await createTestDatabase()).url, max: 1 });
  surviveLoss(pool);
  await pool.query('create table written (text text primary key)');
});
afterAll(() => pool.end());

const add = (client: pg.PoolClient, text: string) => client.query('insert into written values ($1)', [text]);
const notes = async (like: string) => {
  const { rows } = await pool.query<{ text: string }>('select text from written where text like $1 order by 1', [like]);
  return rows.map(({ text }) => text);
};
const sessionOf = async (client: Pick<pg.Pool, 'query'>) => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
};

test('what failed is rolled back, and its connection is used again', async () => {
  const before = await sessionOf(pool);
  const failing = inTransaction(pool, async (client) => {
    await add(client, 'failed');
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  expect(await notes('failed')).toEqual([]);
  expect(await sessionOf(pool)).toBe(before);
});

test('a transaction that PostgreSQL rolled back is no success, although its commit had no error', async () => {
  const swallowing = inTransaction(pool, async (client) => {
    await add(client, 'silent');
    await add(client, 'silent').catch(() => undefined);
  });
  await expect(swallowing).rejects.toThrow('rolled back');
  expect(await notes('silent')).toEqual([]);
});

test('what is not kept is rolled back, and returned', async () => {
  const rehearsed = inTransaction(pool, (client) => add(client, 'rehearsed'), { keeps: () => false });
  expect(await rehearsed).toMatchObject({ rowCount: 1 });
  expect(await notes('rehearsed')).toEqual([]);
});

test('a lost connection is not used again', async () => {
  const before = await sessionOf(pool);
  const losing = inTransaction(pool, (client) => client.query('select pg_terminate_backend(pg_backend_pid())'));
  await expect(losing).rejects.toThrow();
  expect(await sessionOf(pool)).not.toBe(before);
});
