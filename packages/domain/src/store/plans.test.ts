import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { begin } from './batch.ts';
import { type Database, openDatabase } from './database.ts';
import { makeStatements, type Statements } from './statements.ts';

// The seam's statements are planned once per connection, perhaps while every table is empty and every index looks as good as the next.

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
  '%s goes by a key, never by an index that is there for lists, even if it is planned on empty tables',
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
