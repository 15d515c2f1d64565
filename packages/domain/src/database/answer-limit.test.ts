import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from './database.ts';

const limitMs = 500;
/** Twice as long as a statement may take. */
const stall = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limitMs * 2);

let database: Database;
beforeAll(async () => {
  database = await openDatabase((await createTestDatabase()).url, { connections: 1, timeoutMs: limitMs });
});
afterAll(() => database.close());

/** The connection on which the statements of a test run, which is the pool's only one. */
async function backendPid(): Promise<number> {
  const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

test('answers that arrived while the process stalled for longer than the limit count as answers', async () => {
  const before = await backendPid();
  const client = await database.pool.connect();
  const asked = [1, 2, 3].map((n) => client.query<{ n: number }>('select $1::integer as n', [n]));
  // They have been sent.
  setImmediate(stall);
  const answered = await Promise.all(asked);
  client.release();
  expect(answered.map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3]);
  expect(await backendPid()).toBe(before);
});

test('a statement that is not answered within the limit ends its connection, and the next one works', async () => {
  const before = await backendPid();
  await expect(database.pool.query('select pg_sleep(20)')).rejects.toThrow('Query read timeout');
  expect(await backendPid()).not.toBe(before);
});

test('a statement that waits behind one that is not answered fails with it', async () => {
  const client = await database.pool.connect();
  const asked = [client.query('select pg_sleep(20)'), client.query('select 1')];
  const ends = await Promise.allSettled(asked);
  client.release(true);
  expect(ends).toMatchObject([
    { status: 'rejected', reason: { message: 'Query read timeout' } },
    { status: 'rejected', reason: { message: 'Query read timeout' } },
  ]);
});

test('a statement may have a longer limit of its own', async () => {
  const patient = { text: 'select pg_sleep(1), $1::integer as n', values: [7], query_timeout: 60_000 };
  expect((await database.pool.query(patient)).rows).toMatchObject([{ n: 7 }]);
});

test('a statement that the server refuses fails with its error, and its connection goes on', async () => {
  const client = await database.pool.connect();
  await expect(client.query('select nothing')).rejects.toMatchObject({ code: '42703' });
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  client.release();
});
