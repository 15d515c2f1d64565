import { createTestDatabase } from '@tidegate/sandbox/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transitionRules } from '../countries/index.ts';
import { hasColumn } from './columns.ts';
import { type Database, openDatabase } from './database.ts';

// Whether the schema can be partitioned by merchant (design: Scaling out), checked in PostgreSQL's catalogue for every
// table.

/** Tables of the platform. All other tables have a merchant in their key. */
const platformTables = [
  'audit_run',
  'bank_mapping',
  'channel',
  'channel_credential',
  'channel_health',
  'channel_memory',
  'configuration_change',
  'country',
  'csv_profile',
  'data_export',
  'data_export_chunk',
  'environment',
  'exclusive_work',
  'log_progress',
  'migration',
  'money_withholding',
  'operator',
  'operator_day',
  'operator_invitation',
  'operator_preferences',
  'operator_session',
  'operator_token',
  'order_facets_progress',
  'order_figures_progress',
  'order_search_progress',
  'order_watch_progress',
  'proof_reference',
  'public_key_owner',
  'restored_period',
  'retention',
  'saved_view',
  'seal_key',
  'transition_rule',
];
/** The tables outside their merchant to which merchants' rows may refer. */
const referenceTables = ['channel'];

let database: Database;
let queryDatabase: <Row extends pg.QueryResultRow>(sql: string) => Promise<Row[]>;
beforeAll(async () => {
  database = await openDatabase((await createTestDatabase()).url, { connections: 1 });
  queryDatabase = async (sql) => (await database.pool.query(sql)).rows;
});
afterAll(() => database.close());

const tablesSql = `select c.relname as name, exists (
    select from pg_attribute a where a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped) as of_merchant
  from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`;

test('every table belongs to merchants, or is listed here as the platform’s', async () => {
  const tables = await queryDatabase<{ name: string; of_merchant: boolean }>(tablesSql);
  expect(tables.filter((t) => !t.of_merchant).map((t) => t.name)).toEqual(platformTables);
  expect(tables.filter((t) => t.of_merchant).map((t) => t.name)).toEqual(
    expect.arrayContaining(['money_case', 'notification', 'orders', 'payment', 'transfer', 'wallet', 'wallet_entry']),
  );
});

test('the merchant is first in every key and in every unique index of its tables', async () => {
  const indexes = await queryDatabase<{ name: string; primary: boolean; columns: string[] }>(`
    select i.indexrelid::regclass::text as name, i.indisprimary as primary,
      array(select pg_get_indexdef(i.indexrelid, k, true) from generate_series(1, i.indnkeyatts) k) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relnamespace = 'public'::regnamespace and c.relname not in ('${platformTables.join("','")}')`);
  expect(indexes.filter((index) => index.columns[0] !== 'merchant_id')).toEqual([]);
  const tables = await queryDatabase<{ of_merchant: boolean }>(tablesSql);
  expect(indexes.filter((index) => index.primary)).toHaveLength(tables.filter((t) => t.of_merchant).length);
});

test('foreign keys stay within a merchant', async () => {
  const keys = await queryDatabase<{ from: string; to: string; pairs: string[] }>(`
    select k.conrelid::regclass::text as "from", k.confrelid::regclass::text as "to", array(
      select a.attname || '=' || b.attname from unnest(k.conkey, k.confkey) as u(x, y)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.x
      join pg_attribute b on b.attrelid = k.confrelid and b.attnum = u.y) as pairs
    from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace`);
  expect(keys.length).toBeGreaterThan(8);
  const leaving = keys.filter(
    ({ from, to, pairs }) =>
      !pairs.includes('merchant_id=merchant_id') && !platformTables.includes(from) && !referenceTables.includes(to),
  );
  expect(leaving).toEqual([]);
  const entering = keys.filter(({ from, to }) => platformTables.includes(from) && !platformTables.includes(to));
  expect(entering).toEqual([]);
});

test('the database allows the same transitions as the domain, without their triggers', async () => {
  const rows = await queryDatabase<{ rule: string }>(
    `select kind || ' ' || country || ' ' || "from" || ' ' || "to" as rule from transition_rule`,
  );
  const ours = transitionRules.flatMap(({ kind, country, from, to }) =>
    from.filter((f) => f !== 'new' && f !== to).map((f) => `${kind} ${country} ${f} ${to}`),
  );
  expect(rows.map((row) => row.rule).sort()).toEqual([...new Set(ours)].sort());
});

interface ColumnFact {
  name: string;
  type: string;
  nullable: boolean;
}

test("the entities' columns equal the database's: names, types, nullability", async () => {
  const kinds = new Map([
    ['character varying', 'text'],
    ['int', 'integer'],
    ['timestamptz', 'timestamp with time zone'],
    ['_text', 'text[]'],
  ]);
  const entities = [...database.orm.getMetadata().getAll().values()];
  expect(entities.length).toBeGreaterThan(15);
  for (const meta of entities) {
    const columns = meta.props.filter(hasColumn).map((property): ColumnFact => {
      const type = (property.columnTypes[0] ?? '').replace(/\(.*\)/, '').replace(/^varchar$/, 'text');
      return {
        name: property.fieldNames[0] ?? '',
        type: kinds.get(type) ?? type,
        nullable: property.nullable === true,
      };
    });
    const there = await queryDatabase<ColumnFact>(`select attname as name, not attnotnull as nullable,
        regexp_replace(format_type(atttypid, atttypmod), '\\(.*\\)', '') as type
      from pg_attribute where attrelid = '${meta.tableName}'::regclass and attnum > 0 and not attisdropped`);
    const byName = (a: ColumnFact, b: ColumnFact): number => (a.name < b.name ? -1 : 1);
    expect({ table: meta.tableName, columns: columns.sort(byName) }).toEqual({
      table: meta.tableName,
      columns: there.sort(byName),
    });
  }
});

test('every table has an entity, except tables that statements or the database alone use', async () => {
  const tables = (await queryDatabase<{ name: string }>(tablesSql)).map((t) => t.name);
  const known = [...database.orm.getMetadata().getAll().values()].map((entity) => entity.tableName);
  expect(tables.filter((name) => !known.includes(name))).toEqual([
    'channel_credential',
    'channel_memory',
    'channel_question',
    'configuration_change',
    'country',
    'csv_profile',
    'exclusive_work',
    'migration',
    'money_withholding',
    'proof_reference',
    'transition_rule',
    'unexplained_suspense',
  ]);
});
