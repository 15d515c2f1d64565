import { createTestDatabase } from '@tidegate/sandbox/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServiceRoles, urlOf } from '../../test/service-roles.ts';
import { migrateDatabase } from './migrate-database.ts';
import { type DatabaseRole, roleName, serviceRoles } from './role-grants.ts';

// Functions with the rights of the tables' owner.

const pools = new Map<DatabaseRole, pg.Pool>();
const roles = [...serviceRoles, 'worker_ledger'] as const;
let owner: pg.Pool;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  owner = new pg.Pool({ connectionString: url });
  await createServiceRoles(owner);
  for (const role of roles) pools.set(role, new pg.Pool({ connectionString: urlOf(url, role) }));
  await migrateDatabase(url);
});
afterAll(() => Promise.all([owner, ...pools.values()].map((pool) => pool.end())));

function as(role: (typeof roles)[number]): pg.Pool {
  const pool = pools.get(role);
  if (!pool) throw new Error(`no connection of ${role}`);
  return pool;
}

test('no function with the rights of the owner looks into the temporary schema of its caller first', async () => {
  const { rows } = await owner.query<{ name: string; path: string }>(
    `select proname as name, array_to_string(proconfig, ';') as path from pg_proc
     where prosecdef and pronamespace = 'public'::regnamespace order by proname`,
  );
  const closed = 'search_path=pg_catalog, public, pg_temp';
  expect(rows).toEqual(
    [
      'claim_public_key',
      'count_suspense',
      'drop_channel_question',
      'drop_export_chunks',
      'drop_upload',
      'gather_first_statistics',
      'keep_funds_reference',
      'keep_late_proof_reference',
      'keep_proof_reference',
      'number_configuration_change',
      'purge_attached_files',
      'purge_channel_call',
      'purge_channel_health',
      'purge_channel_memory',
      'purge_data_export',
      'purge_file_contents',
      'purge_host_health',
      'purge_notification',
      'purge_notification_attempt',
      'purge_statement_content',
      'record_configuration_change',
      'refuse_unexplained_suspense',
      'roll_up_accounts',
      'stop_payouts',
    ].map((name) => ({ name, path: closed })),
  );
});

test('nobody else calls what runs in triggers or with the rights of the owner, or attaches it to a table', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select p.proname as name from pg_proc p cross join aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
     where p.pronamespace = 'public'::regnamespace and (p.prosecdef or p.prorettype = 'trigger'::regtype) and a.grantee = 0`,
  );
  expect(rows).toEqual([]);
  const session = await as('worker_ledger').connect();
  try {
    await session.query('create temp table mine (merchant_id text, audit_no bigint)');
    const attached =
      'create trigger t after insert on mine for each row execute function number_configuration_change()';
    await expect(session.query(attached)).rejects.toThrow('permission denied');
  } finally {
    session.release(true);
  }
});

test('a temporary view of a role is not read with the rights of the owner', async () => {
  // No role has this right (`grantToRoles`).
  const { rows } = await owner.query<{ name: string }>('select current_database() as name');
  await owner.query(`grant temporary on database "${rows[0]?.name}" to ${roleName('rest')}`);
  const session = await as('rest').connect();
  try {
    await session.query(`create function pg_temp.caught() returns real language plpgsql as $$
      begin raise exception 'ran as %', current_user; end $$`);
    await session.query(`create temp view pg_class as
      select pg_temp.caught() as reltuples, 'public.orders'::regclass::oid as oid, 'r'::"char" as relkind`);
    await session.query('create temp view orders as select pg_temp.caught()');
    expect((await session.query('select gather_first_statistics() as young')).rows).toEqual([{ young: true }]);
  } finally {
    session.release(true);
  }
});

test('only services that create orders may have their statistics gathered', async () => {
  for (const service of ['rest', 'api', 'worker'] as const)
    expect((await as(service).query('select gather_first_statistics() as young')).rows).toEqual([{ young: true }]);
  await expect(as('audit').query('select gather_first_statistics()')).rejects.toThrow('permission denied');
});
