import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStolenRoles, type StolenRoles } from '../../test/stolen-roles.ts';
import { placePayin } from '../testing/payins.ts';
import { databaseRoles, roleName } from './role-grants.ts';

// A temporary table comes before a table of the schema, in each statement that does not name the schema.

let stolen: StolenRoles;
const rowsOf = async <Row extends object>(text: string): Promise<Row[]> =>
  (await stolen.owner.domain.database.pool.query<Row>(text)).rows;

beforeAll(async () => {
  stolen = await openStolenRoles();
});
afterAll(() => stolen.close());

test('only the role with which the worker matches may create one', async () => {
  const found = await rowsOf<{ role: string }>(
    `select rolname as role from pg_roles where rolname = any(array['${databaseRoles.map(roleName).join("','")}'])
       and has_database_privilege(rolname, current_database(), 'temporary')`,
  );
  expect(found).toEqual([{ role: 'tidegate_worker_ledger' }]);
});

test('no function of ours reads one in the place of a table, or takes a temporary type for another', async () => {
  const tables = await rowsOf<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p', 'v', 'm', 'S') and relnamespace = 'public'::regnamespace`,
  );
  const names = new Set(tables.map(({ name }) => name));
  const functions = await rowsOf<{ name: string; body: string; settings: string[] | null }>(
    `select oid::regprocedure::text as name, prosrc as body, proconfig as settings from pg_proc p
     where pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`,
  );
  const path = 'search_path=pg_catalog, public, pg_temp';
  // A temporary type comes first too. Those that the grammar of SQL knows by themselves are not looked up.
  const types = new Set(['text', 'json', 'jsonb', 'record', 'xid', 'timestamptz', 'bytea', 'regclass', 'uuid']);
  const found = functions.flatMap(({ name, body, settings }) => {
    if (settings?.includes(path)) return [];
    const statements = body.replace(/--.*$/gm, '').replace(/'(?:[^']|'')*'/g, "''");
    // Text that is executed later is not seen here.
    const read = /\bexecute\b/i.test(statements)
      ? [...body.matchAll(/(?:table|from|join|into|update) ([a-z_]+)/g)]
      : [];
    const bare = [...statements.matchAll(/(?<![.\w"])([a-z_]+)\b(?!\s*\.)/g), ...read].map(([, word = '']) => word);
    const missing = [...new Set(bare.filter((word) => names.has(word) || types.has(word)))];
    return missing.length > 0 ? [`${name}: ${missing.join(', ')}`] : [];
  });
  expect(functions.length).toBeGreaterThan(60);
  expect(found, `name the schema (public.…), or set ${path}`).toEqual([]);
});

test('no function of ours has a string whose meaning a session can change', async () => {
  const functions = await rowsOf<{ name: string; body: string }>(
    `select oid::regprocedure::text as name, prosrc as body from pg_proc p
     where pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  );
  const isPlain = /(?<![Ee'])'(?:[^'\\]|'')*\\/;
  const found = functions.filter(({ body }) => isPlain.test(body.replace(/\b[Ee]'(?:[^'\\]|\\.|'')*'/g, '')));
  expect(found.map(({ name }) => name)).toEqual([]);
});

test('a role that may create one deletes no log before its time', async () => {
  const { owner, merchantId } = stolen;
  const [database] = await rowsOf<{ name: string }>('select current_database() as name');
  await rowsOf(`grant temporary on database "${database?.name}" to ${roleName('worker')}`);
  const { orderNo } = await placePayin(owner.domain, merchantId, 'IN');
  await rowsOf(`insert into channel_call (call_id, merchant_id, order_no, channel_id, operation, started_at, duration_ms, outcome, is_sent, is_answer)
    values (1, '${merchantId}', '${orderNo}', 'fake', 'create', now(), 5, 'accepted', true, true)`);
  const keys = JSON.stringify([{ merchant_id: merchantId, order_no: orderNo, call_id: '1' }]);
  const attack = [
    'create temporary table retention (kind text, until timestamptz)',
    "insert into pg_temp.retention values ('channel_call', '9000-01-01')",
    `select purge_channel_call('${keys}')`,
  ];
  await stolen.attack('worker', attack, true);
  expect(await rowsOf('select call_id from channel_call')).toEqual([{ call_id: '1' }]);
});
