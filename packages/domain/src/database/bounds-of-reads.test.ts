import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStolenRoles, type StolenRoles } from '../../test/stolen-roles.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { serviceRoles } from './role-grants.ts';

// Whom a stolen connection for ordinary reads cannot stop, and what it cannot purge or make unreadable.

let stolen: StolenRoles;
let orderNo: string;
const sql = (text: string) => stolen.owner.domain.database.pool.query(text);
beforeAll(async () => {
  stolen = await openStolenRoles();
  const order = await placePayin(stolen.owner.domain, stolen.merchantId, 'IN', { notifyUrl: 'https://shop.test/paid' });
  await stolen.owner.domain.commit(aReport(order, paid()));
  ({ orderNo } = order);
});
afterAll(() => stolen.close());

test('a connection for reads locks no table as a whole that another process needs', async () => {
  /** Tables that only the process of the role writes and reads for its work. */
  const own = {
    'api saved_view': 'the views of its operators: another process has none',
    'worker order_watch': 'its own schedule of ended orders',
  };
  const { rows } = await sql(`select r.role || ' ' || c.relname as locked
    from unnest('{${serviceRoles.join()}}'::text[]) as r(role) cross join pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition
      and has_table_privilege('tidegate_' || r.role, c.oid, 'update, delete, truncate, maintain') order by 1`);
  expect(rows.map(({ locked }) => locked)).toEqual(Object.keys(own));
  for (const role of ['rest', 'api'] as const)
    await expect(
      stolen.attack(role, ['lock table channel_question in share row exclusive mode nowait']),
      role,
    ).rejects.toThrow('permission denied');
});

test('the worker purges what channels remember only if no order needs it any more', async () => {
  const keys = ['young', 'old', 'permanent'];
  for (const key of keys)
    await sql(`insert into channel_memory (channel_id, key, value, of_order, created_at) values ('fake', '${key}', 'x', ${key !== 'permanent'},
      now() - interval '${key === 'young' ? 30 : 40} days')`);
  const purge = `select purge_channel_memory('${JSON.stringify(keys.map((key) => ({ channel_id: 'fake', key })))}')`;
  const left = async () => {
    await stolen.attack('worker', [purge], true);
    return (await sql('select key from channel_memory order by key')).rows.map(({ key }) => key);
  };
  await expect(stolen.attack('worker', ['delete from channel_memory'])).rejects.toThrow('permission denied');
  for (const role of ['rest', 'api', 'audit', 'rest_ledger', 'api_ledger', 'worker_ledger'] as const)
    await expect(stolen.attack(role, [purge]), role).rejects.toThrow('permission denied');
  expect(await left()).toEqual(['old', 'permanent', 'young']);
  await stolen.attack('worker', ["update retention set until = clock_timestamp() - interval '8 days'"], true);
  const open = await placePayin(stolen.owner.domain, stolen.merchantId, 'IN');
  await sql(`alter table orders disable trigger user`);
  await sql(`update orders set created_at = now() - interval '50 days' where order_no = '${open.orderNo}'`);
  await sql(`alter table orders enable trigger user`);
  expect(await left()).toEqual(['old', 'permanent', 'young']);
  await stolen.owner.domain.commit(aReport(open, { outcome: 'failed', reason: 'no' }));
  expect(await left()).toEqual(['permanent', 'young']);
});

test('the worker purges only old notifications that are not pending, and no evidence before its time', async () => {
  const keys = JSON.stringify([{ merchant_id: stolen.merchantId, order_no: orderNo, status: 'completed' }]);
  const count = async () =>
    (await sql(`select count(*)::int as count from notification where order_no = '${orderNo}'`)).rows;
  await expect(stolen.attack('worker', ['delete from notification'])).rejects.toThrow('permission denied');
  await expect(
    stolen.attack('worker', ["update retention set until = clock_timestamp() - interval '6 days'"]),
  ).rejects.toThrow('nothing is purged within 7 days');
  await stolen.attack('worker', ["update retention set until = clock_timestamp() - interval '8 days'"], true);
  await stolen.attack('worker', [`select purge_notification('${keys}')`], true);
  expect(await count()).toEqual([{ count: 1 }]);
  await sql("update notification set created_at = now() - interval '9 days'");
  await stolen.attack('worker', [`select purge_notification('${keys}')`], true);
  expect(await count()).toEqual([{ count: 1 }]);
  await sql("update notification set state = 'exhausted', next_attempt_at = null");
  await stolen.attack('worker', [`select purge_notification('${keys}')`], true);
  expect(await count()).toEqual([{ count: 0 }]);
  for (const role of ['rest', 'api', 'audit', 'rest_ledger', 'api_ledger', 'worker_ledger'] as const)
    await expect(stolen.attack(role, [`select purge_notification('${keys}')`]), role).rejects.toThrow(
      'permission denied',
    );
});

test('no role writes a time, a day or an amount that no process can read', async () => {
  await sql(`insert into merchant_key (merchant_id, key_id, public_key_pem) values ('${stolen.merchantId}', 'k', 'x')`);
  await sql(
    `insert into reconciled_channel (merchant_id, channel_id, begins_on) values ('${stolen.merchantId}', 'fake', '2026-01-01')`,
  );
  const unreadable = {
    time: ['infinity', '294000-01-01'],
    day: ['infinity', '-infinity', '294000-01-01'],
    amount: ['NaN'],
  };
  for (const [role, table, column, kind] of [
    ['rest', 'merchant_key', 'last_used_at', 'time'],
    ['worker', 'retention', 'held_until', 'time'],
    ['rest_ledger', 'orders', 'updated_at', 'time'],
    ['api_ledger', 'reconciled_channel', 'begins_on', 'day'],
    ['rest_ledger', 'orders', 'paid_amount', 'amount'],
    ['api_ledger', 'reconciled_channel', 'tolerance', 'amount'],
  ] as const)
    for (const value of unreadable[kind])
      await expect(
        stolen.attack(role, [`update ${table} set ${column} = '${value}'`]),
        `${role} ${table} ${value}`,
      ).rejects.toThrow(new RegExp(`${table}_bounds_check|has not come yet`));
  const { rows } = await sql(`select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
    and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migration'
    and exists (select from pg_attribute a where a.attrelid = c.oid
      and a.atttypid in ('timestamptz'::regtype, 'date'::regtype, 'numeric'::regtype) and a.attnum > 0)
    and not exists (select from pg_constraint k where k.conrelid = c.oid and k.conname = c.relname || '_bounds_check')`);
  expect(rows, 'a new table with a time, day or amount needs a check named <table>_bounds_check').toEqual([]);
});

test('no role writes a text that an index or a roll-up cannot take', async () => {
  const long = 'x'.repeat(600);
  const call = (
    column: string,
  ) => `insert into channel_call (merchant_id, order_no, call_id, channel_id, operation, started_at, duration_ms, outcome,
      is_sent, is_answer)
    select $1, '${orderNo}', 'c', ${column === 'channel_id' ? `'${long}'` : "'fake'"}, 'query', now(), 1, ${column === 'outcome' ? `'${long}'` : "'paid'"}, true, true`;
  for (const role of ['rest', 'api', 'worker'] as const)
    for (const column of ['channel_id', 'outcome'])
      await expect(stolen.attack(role, [call(column)]), `${role} ${column}`).rejects.toThrow(`${column}_check`);
  for (const [role, change, check] of [
    ['worker_ledger', `orders set failure_reason = '${long}'`, 'orders_failure_reason_check'],
    ['worker_ledger', `orders set channel_ref = '${long}x'`, 'orders_bounds_check'],
    ['worker_ledger', 'orders set attempt = 2147483647', 'orders_bounds_check'],
    ['worker', 'notification set attempt = 2147483647', 'notification_bounds_check'],
  ] as const)
    await expect(stolen.attack(role, [`update ${change}`]), change).rejects.toThrow(check);
  const { rows } = await sql(`select i.indrelid::regclass || '.' || a.attname as unbounded from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey) and a.atttypid = 'text'::regtype
    join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace and c.relname <> 'migration' and not c.relispartition
    where not exists (select from pg_constraint k where k.conrelid = c.oid and k.conname = c.relname || '_bounds_check'
      and pg_get_constraintdef(k.oid) like '%octet_length(' || quote_ident(a.attname) || ')%')`);
  expect(rows, 'an indexed text needs its length in <table>_bounds_check').toEqual([]);
});

test('no work is held, or said to be done, for more than a day ahead', async () => {
  await sql(
    `insert into settlement_run (merchant_id, day, state) values ('${stolen.merchantId}', current_date, 'done')`,
  );
  await sql(`insert into statement_fetch (merchant_id, channel_id, format, day, next_at, give_up_at)
    values ('${stolen.merchantId}', 'fake', 'json-lines', '2026-11-20', now(), now())`);
  for (const [role, change] of [
    ['worker', "settlement_run set day = '2999-01-01'"],
    ['worker', "settlement_run set next_at = '2999-01-01'"],
    ['worker', "retention set held_until = '2999-01-01'"],
    ['audit', "audit_run set holder = 'x', held_until = '2999-01-01'"],
    ['worker_ledger', "statement_fetch set holder = 'x', held_until = '2999-01-01'"],
  ] as const)
    await expect(stolen.attack(role, [`update ${change}`]), change).rejects.toThrow('has not come yet');
});

test('no progress of the worker passes what has not come', async () => {
  const { rows } = await sql(
    "select table_name as name from information_schema.columns where table_schema = 'public' and table_name like '%\\_progress' and column_name = 'until'",
  );
  expect(rows.length).toBeGreaterThan(4);
  for (const { name } of rows)
    await expect(
      stolen.attack('worker', [`update ${name} set until = clock_timestamp() + interval '1 h'`]),
      name,
    ).rejects.toThrow('has not come yet');
});
