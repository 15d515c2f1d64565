import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openTestDomain } from '../testing/index.ts';
import { type Database, openDatabase } from './database.ts';
import { migrateDatabase } from './migrate-database.ts';
import { migrations } from './migrations/index.ts';

const all = migrations.map(({ name }) => name);
const opened: Database[] = [];
afterAll(() => Promise.all(opened.map((database) => database.close())));

let url: string;
let database: Database;
beforeEach(async () => {
  ({ url } = await createTestDatabase());
  database = await openDatabase(url, { connections: 2 });
  opened.push(database);
});

const empty = () => database.pool.query('drop schema public cascade; create schema public');
const ran = async (): Promise<string[]> =>
  (await database.pool.query<{ name: string }>('select name from migration order by id')).rows.map(({ name }) => name);

test('an empty database gets every migration once, in order, even if several processes migrate it at the same time', async () => {
  await empty();
  const reported = await Promise.all([1, 2, 3].map(() => migrateDatabase(url)));
  expect(await ran()).toEqual(all);
  expect(reported.toSorted((a, b) => b.length - a.length)).toEqual([all, [], []]);
});

/** Another session that creates a table of the first migration, and has not committed yet. */
async function blocker(): Promise<{ giveUp(): Promise<void> }> {
  const other = await database.pool.connect();
  await other.query('begin; create table merchant (id text)');
  return { giveUp: () => other.query('rollback').then(() => other.release()) };
}

test('a migration waits for a lock only briefly, and is tried again if it did not get the lock', async () => {
  await empty();
  const other = await blocker();
  const lines: string[] = [];
  const report = (line: string): void => {
    lines.push(line);
    if (lines.length === 3) void other.giveUp();
  };
  expect(await migrateDatabase(url, { lockMs: 50, pauseMs: 5, report })).toEqual(all);
  expect(lines.length).toBeGreaterThanOrEqual(3);
  expect(lines[0]).toBe('A migration did not get its lock within 50 ms: try 1 of 30, the next in 5 ms.');
  expect(await ran()).toEqual(all);
});

test('after the last attempt the error of PostgreSQL is thrown, and no migration is half done', async () => {
  await empty();
  const other = await blocker();
  const failed = await migrateDatabase(url, { lockMs: 20, pauseMs: 1, tries: 2 }).catch((error) => error);
  expect(failed).toBeInstanceOf(Error);
  expect(failed.message).toMatch(/lock timeout/);
  await other.giveUp();
  expect(await ran()).toEqual([]);
  expect(await migrateDatabase(url)).toEqual(all);
});

test('on a database that is not empty the migrations begin after the last one that was run', async () => {
  expect(await migrateDatabase(url)).toEqual([]);
});

test.each([
  ['its last migration', () => database.pool.query('delete from migration where name = $1', [all.at(-1)]), all.at(-1)],
  ['any migration', empty, all[0]],
])('a database without %s cannot be opened', async (_, spoil, which) => {
  await spoil();
  await expect(openTestDomain(url)).rejects.toThrow(
    `The database's schema is too old for this version: ${which} has not run. Run the admin command migrate first.`,
  );
});

test('a schema that is newer than the code is accepted, because versions overlap during an upgrade', async () => {
  await database.pool.query(`insert into migration (name) values ('9999-of-the-next-version')`);
  const { domain } = await openTestDomain(url);
  await expect(domain.ready()).resolves.toBeUndefined();
  await domain.close();
});
