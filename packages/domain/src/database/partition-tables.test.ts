import { createTestDatabase } from '@tidegate/sandbox/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import { openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, aPayout, placePayout } from '../testing/payouts.ts';
import { begin } from './begin.ts';
import { partitionedTables, partitionTables } from './partition-tables.ts';
import { ledgerRoles, roleName, serviceRoles } from './role-grants.ts';
import { readDefinition } from './table-definition.ts';

// Partitions a database with orders while the service runs, with an interruption. Nothing is lost.

let url: string;
let fixture: TestDomain;
/** So many, because the hashes of eight may all lead to one partition. */
let merchants: string[];
let before: { definitions: object[]; rows: Record<string, string> };
beforeAll(async () => {
  url = (await createTestDatabase()).url;
  fixture = await openTestDomain(url, { timeoutMs: 30_000 });
  merchants = await Promise.all(
    Array.from({ length: 24 }, async (_, i) => (await aFundedMerchant(fixture.domain, i % 2 ? 'IN' : 'PK')).merchantId),
  );
  await Promise.all(merchants.map(trade));
  await fixture.domain.database.pool.query(
    `create role ${reader}; grant select on orders to ${reader}; alter table payment set (fillfactor = 90);
     alter table notification_attempt enable always trigger kept_long_enough`,
  );
  before = { definitions: await definitions(), rows: await contents() };
}, 120_000);
afterAll(async () => {
  await fixture?.domain.database.pool.query(`drop owned by ${reader}; drop role ${reader}`);
  await fixture?.close();
});

/**
 * Roles belong to the whole PostgreSQL server, where another run may be active: this name belongs to this run alone.
 */
const reader = `reader_of_${process.pid}_${Date.now()}`;

const countryOf = (merchantId: string) => (merchantId.startsWith('IN') ? 'IN' : 'PK');

/** A payin that is paid and a payout. */
async function trade(merchantId: string): Promise<void> {
  const payin = await placePayin(fixture.domain, merchantId, countryOf(merchantId));
  await fixture.domain.commit(aReport(payin, paid()));
  await placePayout(fixture.domain, merchantId, countryOf(merchantId));
}

async function definitions(): Promise<object[]> {
  const client = await fixture.domain.database.pool.connect();
  try {
    const found: object[] = [];
    for (const table of partitionedTables) {
      // A partitioned table has no storage of its own. Settings of the whole apply to all partitions.
      const { options: _, indexes, grants, ...definition } = await readDefinition(client, table);
      const columns = await client.query(
        `select attname, format_type(atttypid, atttypmod), attnotnull from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
        [table],
      );
      found.push({
        table,
        ...definition,
        // The services' roles get their grants again, because another test may have created those roles meanwhile.
        grants: grants.filter(
          (grant) => ![...serviceRoles, ...ledgerRoles].some((role) => grant.endsWith(` to ${roleName(role)}`)),
        ),
        indexes: indexes.map((index) => index.replace(' ON ONLY ', ' ON ')),
        columns: columns.rows,
      });
    }
    return found;
  } finally {
    client.release();
  }
}

async function contents(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const table of partitionedTables) {
    const { rows } = await fixture.domain.database.pool.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as all from ${table} t`,
    );
    found[table] = rows[0].all;
  }
  return found;
}

test('a table in use stops the partitioning with one line, and the next run continues while the service works', {
  timeout: 120_000,
}, async () => {
  const user = new pg.Client({ connectionString: url });
  await user.connect();
  await user.query('begin; lock table payment in row exclusive mode');
  const reported: string[] = [];
  const report = (line: string) => void reported.push(line);
  await expect(partitionTables(url, 4, { lockMs: 200, report })).rejects.toThrow('payment is in use: stop the service');
  expect(reported.map((line) => line.split(':')[0])).toEqual(['orders', 'order_transition']);
  expect(await contents()).toEqual(before.rows);
  await user.query('rollback');
  await user.end();

  const placed = merchants.flatMap((merchantId) =>
    Array.from({ length: 4 }, () => aPayout(merchantId, countryOf(merchantId), { amount: '1.00' })),
  );
  const [done, ...results] = await Promise.all([
    partitionTables(url, 4, { report }),
    ...placed.map((command) => fixture.domain.commit(command)),
  ]);
  expect(done).toEqual(partitionedTables.slice(2));
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
  for (const { order } of placed)
    expect(await orderNow(fixture.domain, order)).toMatchObject({ orderNo: order.orderNo });
  expect((await audit(fixture.domain)).violations).toEqual([]);
});

test('the partitioning keeps columns, keys, checks, indexes, triggers, rights and owners, with their names', async () => {
  const after = await definitions();
  // PostgreSQL writes a condition that it reads again with fewer brackets.
  const plain = (found: object[]): string => JSON.stringify(found, null, 1).replaceAll(/[()]/g, '');
  expect(plain(after)).toBe(plain(before.definitions));
  const { rows } = await fixture.domain.database.pool.query<{ parts: number; filled: number }>(
    `select count(*)::integer as parts, count(*) filter (where pg_relation_size(oid) > 0)::integer as filled from pg_class where relispartition and relname ~ '^orders_p[0-9]+$'`,
  );
  expect(rows[0]?.parts).toBe(4);
  expect(rows[0]?.filled).toBeGreaterThan(1);
  const storage = await fixture.domain.database.pool.query(
    "select distinct reloptions from pg_class where relname ~ '^payment_p[0-9]+$'",
  );
  expect(storage.rows).toEqual([{ reloptions: ['fillfactor=90'] }]);
});

test('a trigger that is always enabled stays so on the table and on every partition', async () => {
  const { rows } = await fixture.domain.database.pool.query(
    `select g.tgrelid::regclass::text as "table", g.tgenabled as state from pg_trigger g where g.tgname = 'kept_long_enough' and g.tgrelid::regclass::text like 'notification_attempt%' order by 1`,
  );
  const tables = ['notification_attempt', ...Array.from({ length: 4 }, (_, i) => `notification_attempt_p${i}`)];
  expect(rows).toEqual(tables.map((table) => ({ table, state: 'A' })));
});

test('a repeated partitioning does nothing, and another number of partitions is refused', async () => {
  expect(await partitionTables(url, 4)).toEqual([]);
  await expect(partitionTables(url, 8)).rejects.toThrow('orders has 4 partitions already');
  await expect(partitionTables(url, 1)).rejects.toThrow('not from 2 to 256');
});

test('the partitioned database still refuses every forbidden change, on the partitions too', async () => {
  const { pool } = fixture.domain.database;
  for (const table of ['wallet_entry', 'wallet_entry_p1', 'transfer', 'order_transition', 'payment']) {
    await expect(pool.query(`truncate ${table}`)).rejects.toThrow('TRUNCATE refused');
    await expect(pool.query(`delete from ${table.replace('_p1', '')}`)).rejects.toThrow('DELETE refused');
    await expect(pool.query(`update ${table.replace('_p1', '')} set merchant_id = merchant_id`)).rejects.toThrow(
      'UPDATE refused',
    );
  }
  await expect(
    pool.query("update orders set status = 'created', completed_at = null where status = 'completed'"),
  ).rejects.toThrow('is impossible');
  await expect(pool.query('delete from orders')).rejects.toThrow('DELETE refused');
  await expect(
    pool.query(
      "insert into notification (merchant_id, order_no, status, url, body, next_attempt_at, created_at) values ('CN-1', 'PI1', 'failed', '', '', now(), now())",
    ),
  ).rejects.toThrow('notification_merchant_id_order_no_fkey');
  await trade(merchants[0] ?? '');
});

const byKey = ['ordersByKey', 'takenOrderNos', 'paymentsByOrder', 'transitionCounts', 'bookedNos'] as const;

test.each(byKey)('%s reads one partition by an index', async (name) => {
  const client = await fixture.domain.database.pool.connect();
  try {
    await client.query(`${begin}; set local plan_cache_mode = force_generic_plan`);
    // As before the first analysis, whether or not autovacuum has run.
    await client.query(
      "select pg_clear_relation_stats('public', relname) from pg_class where relispartition and relkind = 'r'",
    );
    await client.query(`prepare looked as ${fixture.domain.sql[name].text}`);
    const { rows } = await client.query(
      `explain (analyze, costs off, timing off) execute looked('{${merchants[0]}}', '{X}')`,
    );
    const scans = rows.map((row) => String(row['QUERY PLAN'])).filter((line) => / Scan .* on \w+_p\d/.test(line));
    expect(scans).toHaveLength(4);
    expect(scans.filter((line) => !/Index (Only )?Scan using/.test(line))).toEqual([]);
    expect(scans.filter((line) => line.includes('never executed'))).toHaveLength(3);
  } finally {
    await client.query('rollback; deallocate looked');
    client.release();
  }
});
