import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../database.ts';
import { migrateDatabase } from '../migrate-database.ts';
import { partitionTables } from '../partition-tables.ts';

let url: string;
let database: Database;
beforeAll(async () => {
  ({ url } = await createTestDatabase());
  database = await openDatabase(url, { connections: 1 });
});
afterAll(() => database.close());

const name = '0019-due-by-channel';
const beforeIt = `drop index orders_due_by_channel, notification_behind_older; alter table notification drop column seq, drop column is_repeat,
  drop constraint notification_held_by_check, add constraint notification_held_by_check check (held_by in ('host', 'pause'));
  delete from migration where name = '${name}'`;
const removeRecord = `delete from migration where name = '${name}'`;
const indexes = async () =>
  (
    await database.pool.query(
      `select i.indexrelid::regclass::text as name, indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
       where c.relname like 'orders_due_by_channel%' or c.relname like 'notification_behind_older%' order by 1`,
    )
  ).rows;
const holds = async () =>
  (
    await database.pool.query(
      `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'notification_held_by_check' and conrelid = 'notification'::regclass`,
    )
  ).rows[0]?.definition;

test('the migration can be interrupted after any statement and run again', async () => {
  await database.pool.query(beforeIt);
  for (const again of [null, removeRecord]) {
    if (again !== null) await database.pool.query(again);
    expect(await migrateDatabase(url)).toEqual([name]);
    expect(await indexes()).toEqual([
      { name: 'notification_behind_older', valid: true },
      { name: 'orders_due_by_channel', valid: true },
    ]);
    expect(await holds()).toMatch(/order/);
    expect(await holds()).not.toMatch(/NOT VALID/);
  }
});

test('a partitioned database gets the index in every partition', async () => {
  const already = await database.pool.query(`select from pg_class where relname = 'orders' and relkind = 'p'`);
  await database.pool.query(beforeIt);
  if (already.rowCount === 0) await partitionTables(url, 3);
  for (const again of [null, removeRecord]) {
    if (again !== null) await database.pool.query(again);
    expect(await migrateDatabase(url)).toEqual([name]);
    const found = await indexes();
    expect(found.length).toBeGreaterThan(4);
    expect(found).toContainEqual({ name: 'orders_due_by_channel', valid: true });
    expect(found).toContainEqual({ name: 'notification_behind_older', valid: true });
    expect(found.every(({ valid }) => valid)).toBe(true);
  }
});
