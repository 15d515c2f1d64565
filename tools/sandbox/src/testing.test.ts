import { type AddressInfo, connect, createServer } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { sendToRedis } from './redis.ts';
import { createTestDatabase, createTestRedis } from './testing.ts';

async function queryDatabase(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('every test database is migrated and separate', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const tables = "SELECT count(*)::int AS tables FROM information_schema.tables WHERE table_schema = 'public'";
  const [migrated] = await queryDatabase(one.url, tables);
  expect(migrated.tables).toBeGreaterThan(0);
  await queryDatabase(one.url, 'CREATE TABLE written (n int)');
  expect(await queryDatabase(one.url, tables)).toEqual([{ tables: migrated.tables + 1 }]);
  expect(await queryDatabase(other.url, tables)).toEqual([migrated]);
  await one.drop();
  await expect(queryDatabase(one.url, tables)).rejects.toMatchObject({ code: '3D000' });
});

test('every test Redis is empty and separate', async () => {
  const [one, other] = await Promise.all([createTestRedis(), createTestRedis()]);
  await sendToRedis(one.url, ['SET key value']);
  expect(await sendToRedis(one.url, ['DBSIZE'])).toContain(':1');
  expect(await sendToRedis(other.url, ['DBSIZE'])).toContain(':0');
  await one.drop();
  expect(await sendToRedis(one.url, ['DBSIZE'])).toContain(':0');
});

test('tests reach their database over the Unix socket, and a proxy in between over TCP', async () => {
  const { url } = await createTestDatabase();
  const peer = 'SELECT inet_client_addr() IS NULL AS socket';
  expect(await queryDatabase(url, peer)).toEqual([{ socket: true }]);
  const { port, hostname } = new URL(url);
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const throughProxy = new URL(url);
  throughProxy.port = String((proxy.address() as AddressInfo).port);
  expect(await queryDatabase(throughProxy.href, peer)).toEqual([{ socket: false }]);
  proxy.close();
});
