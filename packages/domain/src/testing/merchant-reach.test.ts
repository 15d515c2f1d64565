import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../database/database.ts';
import { tablesOfMerchants, tablesReadByStatement, watchStatements } from './watch-statements.ts';

let database: Database;
let tables: ReadonlySet<string>;
beforeAll(async () => {
  database = await openDatabase((await createTestDatabase()).url, { connections: 2 });
  tables = await tablesOfMerchants(database.pool);
});
afterAll(() => database.close());

const keyed = 'join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.order_no = k.n';

test.each<[title: string, sql: string, reach: Record<string, string>]>([
  ['a key', 'select from orders where merchant_id = $1 and order_no = $2', { orders: 'one' }],
  ['a key without its merchant', 'select from orders where order_no = $1', { orders: 'all' }],
  ['an update without a merchant', 'update orders set attempt = 0 where order_no = $1', { orders: 'all' }],
  ['a delete of one merchant', 'delete from payment where merchant_id = $1', { payment: 'one' }],
  ['a parameter with merchants', 'select from orders where merchant_id = any($1::text[])', { orders: 'any' }],
  ['a joined list', `select from orders t ${keyed}`, { orders: 'listed' }],
  [
    'a joined list of one merchant, as a parameter limits it too',
    `select from orders t ${keyed} where t.merchant_id = $3`,
    { orders: 'one' },
  ],
  [
    'a join by the merchant',
    'select from orders o join payment p using (merchant_id, order_no) where o.merchant_id = $1',
    { orders: 'one', payment: 'one' },
  ],
  [
    'a join by the order number alone',
    'select from orders o join payment p using (order_no) where o.merchant_id = $1',
    { orders: 'one', payment: 'all' },
  ],
  [
    'an outer join that limits only what is joined',
    'select from orders o left join payment p on p.order_no = o.order_no and p.merchant_id = $1',
    { orders: 'all', payment: 'one' },
  ],
  ['one of two conditions', 'select from orders where merchant_id = $1 or order_no = $2', { orders: 'all' }],
  ['a range of merchants', 'select from orders where merchant_id > $1', { orders: 'all' }],
  [
    'a subquery without a merchant',
    'select (select count(*) from payment p where p.order_no = o.order_no) from orders o where merchant_id = $1',
    { orders: 'one', payment: 'all' },
  ],
  [
    'a merchant that another table names',
    'select from orders where merchant_id = (select merchant_id from payment where reference = $1 limit 1)',
    { orders: 'all', payment: 'all' },
  ],
  [
    'an update of what a list of keys found',
    `with due as materialized (select t.merchant_id, t.order_no from orders t ${keyed} for update skip locked)
     update orders o set attempt = 0 from due where o.merchant_id = due.merchant_id and o.order_no = due.order_no`,
    { orders: 'listed' },
  ],
  [
    'an update of what was found among all merchants',
    `with due as materialized (select merchant_id, order_no from orders where next_action = $1 limit 1)
     update orders o set attempt = 0 from due where o.merchant_id = due.merchant_id and o.order_no = due.order_no`,
    { orders: 'all' },
  ],
  [
    'a walk through the hosts of one merchant',
    `with recursive host as (
       (select host from notification where merchant_id = $1 order by host limit 1)
       union all select n.host from host h cross join lateral (
         select host from notification where merchant_id = $1 and host > h.host order by host limit 1) n)
     select host from host`,
    { notification: 'one' },
  ],
  [
    'a walk through all merchants',
    `with recursive m as (
       (select merchant_id from notification order by merchant_id limit 1)
       union all select n.merchant_id from m cross join lateral (
         select merchant_id from notification where merchant_id > m.merchant_id order by merchant_id limit 1) n)
     select merchant_id from m`,
    { notification: 'all' },
  ],
  [
    'new rows of one merchant',
    'insert into wallet_entry_sum (merchant_id, block_no) values ($1, $2)',
    { wallet_entry_sum: 'one' },
  ],
  [
    'new rows from a list',
    'insert into order_watch (merchant_id, order_no) select m, o from unnest($1::text[], $2::text[]) as k(m, o)',
    { order_watch: 'listed' },
  ],
  [
    'new rows from those of all merchants',
    'insert into order_watch (merchant_id, order_no) select merchant_id, order_no from orders where created_at > $1',
    { order_watch: 'all', orders: 'all' },
  ],
  ['a table of the platform', 'select from channel', {}],
  [
    'new rows, if a table of the platform is empty',
    'insert into order_watch (merchant_id, order_no) select $1, $2 where not exists (select from channel)',
    { order_watch: 'one' },
  ],
  [
    'the merchants in a table of the platform',
    'select from orders o join public_key_owner k on k.owner = o.merchant_id',
    { orders: 'all' },
  ],
  [
    'settings and two statements',
    'begin; select from orders; select from payment where merchant_id = $1',
    {
      orders: 'all',
      payment: 'one',
    },
  ],
])('%s', async (_, sql, reach) => {
  expect(Object.fromEntries(await tablesReadByStatement(database.pool, sql, tables))).toEqual(reach);
});

test('every statement to this database is recorded until the recording is closed', async () => {
  const other = await openDatabase((await createTestDatabase()).url, { connections: 1 });
  const watched = await watchStatements(database.pool);
  try {
    await database.pool.query('select 1 as plain');
    await database.pool.query({ name: 'prepared', text: 'select 2' });
    await database.orm.em.getConnection().execute('select 3 as mapped');
    await other.pool.query('select 4 as other');
    expect([...watched.seen]).toEqual([
      ['select 1 as plain', 'select 1 as plain'],
      ['prepared', 'select 2'],
      ['select 3 as mapped', 'select 3 as mapped'],
    ]);
  } finally {
    watched.stop();
    await other.close();
  }
  await database.pool.query('select 5 as later');
  expect(watched.seen.size).toBe(3);
});
