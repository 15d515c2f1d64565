import { createTestDatabase } from '@tidegate/sandbox/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonChecks } from '../../test/json-checks.ts';
import { unrestricted } from '../lists/scope.ts';
import { pageOrders } from '../orders/list-orders.ts';
import { loadOrders } from '../orders/load-orders.ts';
import { aMerchant, openTestDomain, placePayin, type TestDomain } from '../testing/index.ts';
import { walkList } from '../testing/walk-list.ts';
import { jsonColumns, jsonColumnsSql } from './json-columns.ts';

let url: string;
let fixture: TestDomain;
beforeAll(async () => {
  ({ url } = await createTestDatabase());
  fixture = await openTestDomain(url);
});
afterAll(() => fixture.close());

/** Writes what no release writes, as the owner of the tables, past all triggers and checks. */
async function tamper(statement: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const constraints = ['details', 'fee_terms', 'task'].map((one) => `orders_${one}_shape`);
  const { rows } = await client.query<{ name: string; text: string }>(
    'select conname as name, pg_get_constraintdef(oid) as text from pg_constraint where conname = any($1)',
    [constraints],
  );
  try {
    await client.query("begin; set local session_replication_role = 'replica'");
    for (const { name } of rows) await client.query(`alter table orders drop constraint ${name}`);
    await client.query(statement, values);
    for (const { name, text } of rows)
      await client.query(`alter table orders add constraint ${name} ${text} not valid`);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

test('every JSON column of the schema has a shape', async () => {
  const { rows } = await fixture.domain.database.pool.query<{ column: string }>(jsonColumnsSql);
  expect([...new Set(rows.map(({ column }) => column))].sort()).toEqual(Object.keys(jsonColumns).sort());
});

test('the database checks the shape of each JSON column that is written by a service', async () => {
  const { pool } = fixture.domain.database;
  const client = await pool.connect();
  try {
    for (const [table, column, condition] of jsonChecks(jsonColumns)) {
      await client.query(`create temp table shaped (${column} jsonb, constraint shape check (${condition}))`);
      const definition = `select replace(pg_get_constraintdef(oid), ' NOT VALID', '') as text from pg_constraint where conname = $1 and conrelid = $2::regclass`;
      const [expected, found] = [
        await client.query(definition, ['shape', 'pg_temp.shaped']),
        await client.query(definition, [`${table}_${column}_shape`, table]),
      ];
      expect(
        found.rows,
        `a migration has to add: alter table ${table} add constraint ${table}_${column}_shape check (${condition}) not valid`,
      ).toEqual(expected.rows);
      await client.query('drop table shaped');
    }
  } finally {
    client.release(true);
  }
});

const long = 'x'.repeat(300_000);
const values: Record<string, unknown[]> = {
  'approval.input': [{}, { a: [1] }, [], 'x', 7, true],
  'channel.credentials_set_at': [{}, { key: 'now' }, { key: 7 }, { key: null }, { key: {} }, [], { key: long }],
  'channel.seen': [
    { mode: 'live', adapter: 'a', baseUrl: '' },
    { mode: 'dead', adapter: 'a', baseUrl: '' },
    { mode: 'live', adapter: 'a' },
    { mode: ['live'], adapter: 'a', baseUrl: '' },
  ],
  'channel_question.answer': [{ outcome: 'paid' }, [], 'paid'],
  'csv_profile.profile': [
    {},
    { types: ['a = fee'] },
    { types: [] },
    { types: 'a' },
    { types: [1] },
    { types: null },
    [],
  ],
  'data_export.input': [{}, []],
  'notification_resend.asked': [{}, 'x'],
  'operator_preferences.columns': [
    {},
    { orders: [] },
    { orders: ['a', 'b'] },
    { orders: 'a' },
    { orders: ['a', 1] },
    { orders: [[]] },
    [],
  ],
  'orders.details': [
    {},
    { party: { name: 'a' }, returnUrl: 'b', remark: 'c', extra: { a: { b: [] } } },
    { more: 1 },
    { party: { unknown: 'x' } },
    { party: { name: 'a', unknown: 'x' } },
    { party: { name: 7 } },
    { party: [] },
    { party: null },
    { extra: 5 },
    { extra: [] },
    { returnUrl: { a: 1 } },
    { remark: long },
    [],
    'x',
  ],
  'orders.fee_terms': [
    { percent: '1', fixed: '2' },
    { percent: '1', fixed: '2', minimum: '1', maximum: '2', isRefundable: true },
    { percent: '1', fixed: '2', isRefundable: false },
    { percent: '1' },
    { percent: 1, fixed: 2 },
    {},
    [],
  ],
  'orders.task': [
    { claimedBy: 'a', proof: null },
    { claimedBy: 'a', askedAt: 1.5, proof: { reference: 'x', payer: 'y', note: null, at: 1 } },
    { claimedBy: 'a', proof: { reference: 'x', payer: 'y', note: 'z', at: 1 } },
    { claimedBy: 'a' },
    { claimedBy: 'a', proof: {} },
    { claimedBy: 5, proof: null },
    { claimedBy: 'a', proof: { reference: 'x', payer: 'y', note: null, at: 'NaN' } },
    { claimedBy: 'a', proof: null, askedAt: null },
    [],
  ],
  'settlement.settled_before': [{}, { a: 'b' }, { a: 1 }],
  'settlement.settled_days': [{}, { a: 'b' }, { a: ['b'] }],
  'settlement.settled_entries': [
    {},
    { a: { day: 'x', entryNo: 1 } },
    { a: { day: 'x' } },
    { a: { day: 1, entryNo: 1 } },
    { a: [] },
    [],
  ],
  'settlement.sums': [
    [],
    [{ kind: 'payins', amount: '1', count: 1 }],
    [{ kind: 'others', amount: '1', count: 1 }],
    [{ kind: 'payins', amount: 1, count: 1 }],
    [{}],
    [[]],
    {},
  ],
};

test('a check accepts what the schema reads, and nothing else', async () => {
  const { pool } = fixture.domain.database;
  const checks = jsonChecks(jsonColumns);
  expect(checks.map(([table, column]) => `${table}.${column}`).sort()).toEqual(Object.keys(values).sort());
  for (const [table, column, condition] of checks)
    for (const value of values[`${table}.${column}`] ?? []) {
      const text = JSON.stringify(value);
      const { rows } = await pool.query(`select (${condition}) as "isRight" from (select $1::jsonb as ${column}) t`, [
        text,
      ]);
      const isRight = jsonColumns[`${table}.${column}`]?.safeParse(value).success;
      expect(rows, `${table}.${column}: ${text.slice(0, 100)}`).toEqual([{ isRight }]);
    }
  const infinite = `select (${checks.find(([, column]) => column === 'task')?.[2]}) as "isRight" from (select '{"claimedBy": "a", "askedAt": 1e999, "proof": null}'::jsonb as task) t`;
  expect((await pool.query(infinite)).rows).toEqual([{ isRight: false }]);
});

test('nobody but the owner can write JSON that no process can read', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'CN');
  const { orderNo } = await placePayin(domain, merchantId, 'CN');
  const { pool } = domain.database;
  const copy = `insert into orders select (jsonb_populate_record(o, jsonb_build_object('order_no', 'PICOPY', 'merchant_order_no', 'COPY', $2::text, $3::jsonb))).*
    from orders o where o.order_no = $1`;
  for (const column of ['details', 'fee_terms', 'task'])
    await expect(pool.query(copy, [orderNo, column, '{"party": 1, "claimedBy": 5}'])).rejects.toThrow(
      `orders_${column}_shape`,
    );
});

test('an order that cannot be read is left out of lists, is reported, and the others and the pages behind it are shown', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'CN');
  const placed = [];
  for (let n = 0; n < 5; n += 1) placed.push(await placePayin(domain, merchantId, 'CN'));
  const [, wrong, ...more] = placed;
  if (!wrong) throw new Error('no order');
  await tamper('update orders set details = $1 where order_no = $2', [JSON.stringify([]), wrong.orderNo]);
  const readable = placed.filter((one) => one !== wrong).map(({ orderNo }) => orderNo);
  expect(more.length).toBe(3);
  const shown = await walkList(
    'orders',
    (page) => pageOrders(domain, unrestricted, { merchantIds: [merchantId] }, page),
    { sizes: [2] },
  );
  const found = shown.map(({ orderNo }) => orderNo);
  expect(found.sort()).toEqual(readable.sort());
  const searched = await walkList(
    'orders',
    (page) =>
      pageOrders(domain, unrestricted, { merchantIds: [merchantId], statuses: ['created', 'processing'] }, page),
    { sizes: [2] },
  );
  expect(searched.map(({ orderNo }) => orderNo)).toEqual(expect.arrayContaining(readable));
  const loaded = await loadOrders(domain, unrestricted, placed);
  expect(loaded.map((one) => one?.orderNo ?? null)).toEqual(placed.map((one) => (one === wrong ? null : one.orderNo)));
});

test.each([
  ['details', { party: { name: 7 } }, 'orders.details cannot be read: wrong_shape at party.name'],
  ['details', ['Secret Name'], 'orders.details cannot be read: wrong_shape'],
  ['fee_terms', { percent: '1' }, 'orders.fee_terms cannot be read: wrong_shape at fixed'],
  ['task', { claimedBy: null, proof: null }, 'orders.task cannot be read: wrong_shape at claimedBy'],
])('an order whose %s are %j is not read, and the error has no value', async (column, value, message) => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'CN');
  const wrong = await placePayin(domain, merchantId, 'CN');
  const right = await placePayin(domain, merchantId, 'CN');
  await tamper(`update orders set ${column} = $1 where order_no = $2`, [JSON.stringify(value), wrong.orderNo]);
  const { pool, ledgerPool, reading } = domain.database;
  const found = { text: `select t.${column} as "any name" from orders t where order_no = $1`, values: [wrong.orderNo] };
  const answers = [pool.query(found), ledgerPool.query(found), reading.query(found)];
  await Promise.all(answers.map((answer) => expect(answer).rejects.toThrow(message)));
  await expect(domain.orders.byNo(merchantId, wrong.orderNo)).rejects.toThrow(message);
  expect(await domain.orders.byNo(merchantId, right.orderNo)).toMatchObject({ orderNo: right.orderNo });
});
