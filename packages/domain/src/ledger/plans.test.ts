import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { begin } from '../database/begin.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { aMerchant, openTestDomain } from '../testing/index.ts';
import { aCreate } from '../testing/payins.ts';
import { makeStatements, type Statements } from './queries.ts';

// The ledger writer's statements are planned once per connection, perhaps while every table is empty and every index looks as good as the next.

let database: Database;
beforeAll(async () => {
  database = await openDatabase((await createTestDatabase()).url, { connections: 1 });
});
afterAll(() => database.close());

const names: (keyof Statements)[] = [
  ...(['ordersByKey', 'updateOrders', 'takenOrderNos', 'paymentsByOrder', 'transitionCounts'] as const),
  ...(['bookedNos', 'casesByNo', 'updateCases', 'lockWallets', 'updateWallets'] as const),
];

test.each(names)(
  '%s uses a key and never an index made for lists, even if it is planned on empty tables',
  async (name) => {
    const client = await database.pool.connect();
    try {
      await client.query(begin);
      const { rows } = await client.query(`explain (generic_plan) ${makeStatements(database.orm)[name].text}`);
      const used = rows.flatMap((row) => /using (\S+) on/.exec(row['QUERY PLAN'])?.[1] ?? []);
      expect(used).not.toEqual([]);
      expect(used.filter((index) => !/_p?key$|^wallet_entry_booking$/.test(index))).toEqual([]);
      expect(rows.filter((row) => row['QUERY PLAN'].includes('Seq Scan'))).toEqual([]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  },
);

// Sent outside the ledger writer, so without its settings.
test.each(['orderByNo', 'orderByMerchantOrderNo'] as const)(
  '%s is planned once for all values, and uses its key although the tables are empty',
  async (name) => {
    const client = await database.pool.connect();
    try {
      const { text } = makeStatements(database.orm)[name];
      const { rows } = await client.query(`explain (generic_plan) ${text}`);
      const used = rows.flatMap((row) => /using (\S+) on/.exec(row['QUERY PLAN'])?.[1] ?? []);
      expect(used).toEqual([expect.stringMatching(/_p?key$/)]);
      for (let calls = 0; calls < 8; calls += 1) await client.query({ name, text, values: ['M', 'O'] });
      const kept = await client.query(
        'select generic_plans::integer as generic from pg_prepared_statements where name = $1',
        [name],
      );
      expect(kept.rows[0]?.generic).toBeGreaterThan(0);
    } finally {
      client.release();
    }
  },
);

test('the order of a checkout page is found with its payments and cases by their indexes', async () => {
  const { text } = makeStatements(database.orm).checkoutOrder;
  const { rows } = await database.pool.query(`explain (generic_plan) ${text}`);
  const used = rows.flatMap((row) => /using (\S+) on/.exec(row['QUERY PLAN'])?.[1] ?? []);
  expect(used).toEqual([expect.stringMatching(/_p?key$/), 'payment_pkey', 'money_case_of_order']);
  expect(rows.filter((row) => row['QUERY PLAN'].includes('Seq Scan'))).toEqual([]);
});

test('the ledger writer plans a statement with arrays once, not for each batch', async () => {
  const client = await database.pool.connect();
  try {
    const { text } = makeStatements(database.orm).lockWallets;
    for (let batch = 0; batch < 8; batch += 1) {
      await client.query(begin);
      await client.query({ name: 'locked', text, values: [['M1', 'M2']] });
      await client.query('commit');
    }
    const { rows } = await client.query(
      `select custom_plans::integer as custom, generic_plans::integer as generic from pg_prepared_statements where name = 'locked'`,
    );
    expect(rows).toEqual([{ custom: 0, generic: 8 }]);
  } finally {
    client.release();
  }
});

test('after the first orders of a new installation, open sessions find each order by its whole key', async () => {
  const fixture = await openTestDomain((await createTestDatabase()).url);
  const { pool } = fixture.domain.database;
  const session = await pool.connect();
  const whole = {
    takenOrderNos: '((merchant_id = k.m) AND (merchant_order_no = k.n))',
    ordersByKey: '((merchant_id = k.m) AND (order_no = k.n))',
  };
  const conditions = async (): Promise<Record<string, string | undefined>> => {
    const found: Record<string, string | undefined> = {};
    for (const name of Object.keys(whole)) {
      const { rows } = await session.query(`explain execute "${name}" ('{M}', '{O}')`);
      found[name] = rows.flatMap((row) => /Index Cond: (.*)/.exec(row['QUERY PLAN'])?.[1] ?? [])[0];
    }
    return found;
  };
  try {
    await session.query(begin.replaceAll('set local', 'set'));
    for (const name of Object.keys(whole) as (keyof typeof whole)[])
      await session.query(`prepare "${name}" as ${fixture.domain.sql[name].text}`);
    await session.query('commit');
    // Planned on the empty table: by the merchant alone, which would stay so.
    expect(await conditions()).not.toEqual(whole);
    const { merchantId } = await aMerchant(fixture.domain, 'IN');
    const creates = Array.from({ length: 100 }, (_, i) =>
      aCreate(merchantId, 'IN', { merchantOrderNo: `${i}`.padStart(64, '0') }),
    );
    await Promise.all(creates.map((create) => fixture.domain.commit(create)));
    await expect.poll(conditions).toEqual(whole);
  } finally {
    session.release(true);
    await fixture.close();
  }
});
