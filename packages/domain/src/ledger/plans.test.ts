import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { begin } from '../database/begin.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { makeStatements, type Statements } from './statements.ts';

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
      expect(used).toEqual([expect.stringMatching(/_p?key$|^wallet_entry_booking$/)]);
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
