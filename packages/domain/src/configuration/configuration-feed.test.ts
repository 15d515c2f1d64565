import { createTestDatabase } from '@tidegate/sandbox/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/open-test-domain.ts';
import { type ConfigurationChanges, openConfigurationFeed } from './configuration-feed.ts';

// Every change is seen: committed in any order, however late, and after any pause of the reader.

let real: TestDomain;
let url: string;
beforeAll(async () => {
  ({ url } = await createTestDatabase());
  real = await openTestDomain(url);
});
afterAll(() => real.close());

const sql = (text: string, values: unknown[] = []) => real.domain.database.pool.query(text, values);

/** A feed that polls on request, and the result of each poll. */
function aFeed(answered: (row: Record<string, unknown>) => Record<string, unknown> = (row) => row) {
  const reports: ConfigurationChanges[] = [];
  const queries: unknown[][] = [];
  const pool = {
    query: async (query: pg.QueryConfig) => {
      queries.push(query.values ?? []);
      const { rows } = await real.domain.database.pool.query(query);
      return { rows: rows.map(answered) };
    },
  };
  const feed = openConfigurationFeed(pool as unknown as pg.Pool, {
    changed: (changes) => void reports.push(changes),
    onError: (error) => expect(error).toBeNull(),
    // All cached values are always too old, so that every use polls.
    everyMs: 600_000,
    maxAgeMs: 0,
    waitMs: 0,
  });
  const look = async (): Promise<ConfigurationChanges> => {
    reports.length = 0;
    await feed.refresh().catch(() => undefined);
    await feed.close();
    const all = reports.flatMap((changes) => changes ?? []);
    return reports.length === 0 || reports.includes(null) ? null : all;
  };
  return { look, queries, reports };
}

/** A transaction of its own, begun and not yet committed. */
async function inTransaction(...statements: [text: string, values: unknown[]][]) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('begin');
  for (const [text, values] of statements) await client.query(text, values);
  return async (end: 'commit' | 'rollback'): Promise<void> => {
    await client.query(end);
    await client.end();
  };
}

const disable = "update merchant set status = 'disabled' where merchant_id = $1";

test('a change of a transaction that began first and commits last is seen after the commit, and each change is seen once', async () => {
  const [slow, quick, undone] = [
    await aMerchant(real.domain, 'CN'),
    await aMerchant(real.domain, 'CN'),
    await aMerchant(real.domain, 'CN'),
  ].map(({ merchantId }) => merchantId);
  const { look } = aFeed();
  expect(await look()).toBeNull();
  const endSlow = await inTransaction([disable, [slow]]);
  const endUndone = await inTransaction([disable, [undone]]);
  await sql(disable, [quick]);
  expect(await look()).toEqual([{ kind: 'merchant', id: quick }]);
  await endUndone('rollback');
  expect(await look()).toEqual([]);
  await endSlow('commit');
  expect(await look()).toEqual([{ kind: 'merchant', id: slow }]);
  expect(await look()).toEqual([]);
});

test('a change in a savepoint belongs to its transaction', async () => {
  const { merchantId } = await aMerchant(real.domain, 'CN');
  const { look } = aFeed();
  await look();
  const end = await inTransaction(
    ['savepoint one', []],
    ['update merchant set name = $2 where merchant_id = $1', [merchantId, 'In a savepoint']],
    ['release savepoint one', []],
  );
  expect(await look()).toEqual([]);
  await end('commit');
  expect(await look()).toEqual([{ kind: 'merchant', id: merchantId }]);
});

test.each<[what: string, change: (id: string) => [text: string, values: unknown[]][], kind: 'merchant' | 'channel']>([
  ['a new key', (id) => [["insert into merchant_key values ($1, 'k2', 'pem')", [id]]], 'merchant'],
  ['a key’s end', (id) => [['update merchant_key set expires_at = now() where merchant_id = $1', [id]]], 'merchant'],
  ['a removed key', (id) => [['delete from merchant_key where merchant_id = $1', [id]]], 'merchant'],
  ['a fee', (id) => [['update fee_rule set percent = 9 where merchant_id = $1', [id]]], 'merchant'],
  ['a removed fee', (id) => [['delete from fee_rule where merchant_id = $1', [id]]], 'merchant'],
  ['a route', (id) => [['update route set weight = 9 where merchant_id = $1', [id]]], 'merchant'],
  ['a removed route', (id) => [['delete from route where merchant_id = $1', [id]]], 'merchant'],
  [
    'a restored dump',
    (id) => [
      ['set local session_replication_role = replica', []],
      [disable, [id]],
    ],
    'merchant',
  ],
  [
    'a channel',
    () => [["update channel set base_url = 'http://other.test' where channel_id = $1", ['fake']]],
    'channel',
  ],
  ['a bank code', () => [["insert into bank_mapping values ($1, 'payin', 'HBL', 'X1')", ['fake']]], 'channel'],
  ['a bank code of its own', () => [['update bank_mapping set channel_bank_code = $1', ['X2']]], 'channel'],
  ['a removed bank code', () => [['delete from bank_mapping where channel_id = $1', ['fake']]], 'channel'],
])('%s by direct SQL is seen', async (_, change, kind) => {
  const { merchantId } = await aMerchant(real.domain, 'PK');
  const { look } = aFeed();
  await look();
  await (await inTransaction(...change(merchantId)))('commit');
  expect(await look()).toEqual([{ kind, id: kind === 'channel' ? 'fake' : merchantId }]);
});

test('a row that moves to another merchant changes both merchants, and an emptied table changes all', async () => {
  const [from, to] = [await aMerchant(real.domain, 'PK'), await aMerchant(real.domain, 'PK')];
  const { look } = aFeed();
  await look();
  await sql('update route set merchant_id = $2, route_no = route_no + 10 where merchant_id = $1', [
    from.merchantId,
    to.merchantId,
  ]);
  const ids = [from.merchantId, to.merchantId].toSorted();
  expect((await look())?.map(({ id }) => id).toSorted()).toEqual(ids);
  await sql('truncate bank_mapping');
  expect(await look()).toEqual([{ kind: 'channel', id: '*' }]);
});

test('using a key is not a change of configuration', async () => {
  const { merchantId } = await aMerchant(real.domain, 'IN');
  const { look } = aFeed();
  await look();
  await sql('update merchant_key set last_used_at = clock_timestamp() where merchant_id = $1', [merchantId]);
  expect(await look()).toEqual([]);
});

test.each([
  ['another server or timeline', (row: object) => ({ ...row, server: `${Math.random()}` })],
  ['a position that went backwards', (row: object) => ({ ...row, isBack: true })],
])('%s: everything counts as changed', async (_, answered) => {
  const { look } = aFeed(answered);
  await look();
  expect(await look()).toBeNull();
});

test('a database behind the position is reported', async () => {
  const { look, queries } = aFeed();
  await look();
  await look();
  const [snapshot = ''] = (queries.at(-1) ?? []).map(String);
  const ahead = snapshot.replaceAll(/\d+/g, (digits) => String(Number(digits) + 1_000_000));
  const name = 'configuration-changes';
  const rows = await Promise.all(
    [snapshot, ahead].map(async (position) => {
      const found = await real.domain.database.pool.query({ name, text: await textOf(), values: [position, 10] });
      return found.rows[0].isBack;
    }),
  );
  expect(rows).toEqual([false, true]);
});

/** The statement of the feed. */
async function textOf(): Promise<string> {
  let text = '';
  const pool = {
    query: async (query: pg.QueryConfig) => {
      text = query.text;
      return { rows: [] };
    },
  };
  const feed = openConfigurationFeed(pool as unknown as pg.Pool, {
    changed: () => undefined,
    onError: () => undefined,
  });
  await feed.refresh().catch(() => undefined);
  await feed.close();
  return text;
}

test('2,000 changes are read by one statement, and more than 5,000 count as a change of everything', async () => {
  const { look, queries, reports } = aFeed();
  await sql(
    `insert into merchant (merchant_id, name, country, currency, tag)
     select 'BULK-' || i, 'Bulk', 'CN', 'CNY', 'BULK' from generate_series(1, 6000) i`,
  );
  await look();
  await sql("update merchant set name = 'Changed' where tag = 'BULK' and substr(merchant_id, 6)::integer <= 2000");
  const since = performance.now();
  const changes = await look();
  const tookMs = performance.now() - since;
  expect(changes).toHaveLength(2_000);
  expect(reports.filter((report) => report?.length !== 0)).toHaveLength(1);
  await sql("update merchant set name = 'Changed again' where tag = 'BULK'");
  expect(await look()).toBeNull();
  const [quiet, looked] = [performance.now(), queries.length];
  for (let i = 0; i < 100; i += 1) await look();
  const quietMs = (performance.now() - quiet) / (queries.length - looked);
  console.info(`a look with 2,000 changes: ${tookMs.toFixed(1)} ms; with none: ${quietMs.toFixed(2)} ms`);
  const plan = await sql(
    `explain (format json) select kind, id from configuration_change
     where xid >= pg_snapshot_xmin(pg_current_snapshot()) and not pg_visible_in_snapshot(xid, pg_current_snapshot())`,
  );
  expect(JSON.stringify(plan.rows)).toContain('configuration_change_xid');
});

test('every table that a merchant’s profile is read from reports every change, in every session', async () => {
  const { readTables } = await import('./read-merchants.ts');
  const tables = await readTables(real.domain.database.pool);
  expect(tables).toEqual(expect.arrayContaining(['merchant', 'merchant_key', 'fee_rule', 'route', 'channel']));
  const { rows } = await sql(
    `select c.relname as name, array_agg(distinct event order by event) as events from pg_class c
     join pg_trigger t on t.tgrelid = c.oid join pg_proc p on p.oid = t.tgfoid,
     lateral (values ('insert', 4), ('delete', 8), ('update', 16), ('truncate', 32)) as e(event, bit)
     where p.proname = 'record_configuration_change' and t.tgenabled = 'A' and t.tgattr = '' and t.tgtype::integer & bit > 0
     group by 1`,
  );
  const reported = new Map(rows.map(({ name, events }) => [name, events]));
  for (const table of tables)
    expect([table, reported.get(table)]).toEqual([table, ['delete', 'insert', 'truncate', 'update']]);
});
