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

const name = '0030-order-search';
const indexes = async () =>
  (
    await database.pool.query<{ table: string; name: string; valid: boolean }>(
      `select c.relname as table, i.indexrelid::regclass::text as name, indisvalid as valid from pg_index i join pg_class c on c.oid = i.indrelid
       where i.indexrelid::regclass::text ~ '^(orders_.*group_by|orders_by_channel_ref|payment_by_reference|order_search_by)'
         -- Migration 0067 replaces these.
         and i.indexrelid::regclass::text !~ '^order_search_by_(number|merchant_number|name|last_name)$' order by 2`,
    )
  ).rows;

test('the migration can be interrupted after any statement and run again, also on partitioned tables', async () => {
  const whole = await indexes();
  expect(whole.length).toBe(11);
  await partitionTables(url, 2);
  await database.pool.query(`drop index orders_group_by_amount, order_search_by_phone;
    delete from migration where name = '${name}'`);
  expect(await migrateDatabase(url)).toEqual([name]);
  const found = await indexes();
  expect(found.every(({ valid }) => valid)).toBe(true);
  // Each index of a split table has a part for each partition.
  const split = whole.filter(({ table }) => table !== 'order_search');
  expect(found.map((one) => one.name)).toEqual(
    [...whole.map((one) => one.name), ...split.flatMap((one) => [`${one.name}_p0`, `${one.name}_p1`])].sort(),
  );
});
