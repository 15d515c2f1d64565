import pg from 'pg';
import { expect, test } from 'vitest';
import { sendToRedis } from './redis.ts';
import { createTestDatabase, createTestRedis } from './testing.ts';

async function ask(url: string, sql: string) {
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
  const [migrated] = await ask(one.url, tables);
  expect(migrated.tables).toBeGreaterThan(0);
  await ask(one.url, 'CREATE TABLE written (n int)');
  expect(await ask(one.url, tables)).toEqual([{ tables: migrated.tables + 1 }]);
  expect(await ask(other.url, tables)).toEqual([migrated]);
  await one.drop();
  await expect(ask(one.url, tables)).rejects.toMatchObject({ code: '3D000' });
});

test('every test Redis is empty and separate', async () => {
  const [one, other] = await Promise.all([createTestRedis(), createTestRedis()]);
  await sendToRedis(one.url, ['SET key value']);
  expect(await sendToRedis(one.url, ['DBSIZE'])).toContain(':1');
  expect(await sendToRedis(other.url, ['DBSIZE'])).toContain(':0');
  await one.drop();
  expect(await sendToRedis(one.url, ['DBSIZE'])).toContain(':0');
});
