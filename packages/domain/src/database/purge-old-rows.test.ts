import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { hashLedgerAgain } from '../../test/hash-ledger-again.ts';
import { audit } from '../audit/audit.ts';
import { openChannelMemory } from '../channels/channel-memory.ts';
import type { Order } from '../core/order.ts';
import { claimNotification, recordAttempt } from '../notifications/deliver-notification.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { rowCounts } from '../testing/payouts.ts';
import { waitFor } from '../testing/wait-for.ts';
import { purgeableKinds, purgeOldRows } from './purge-old-rows.ts';
import { restorePeriod } from './restore-rows.ts';

/** The kinds whose rows name an order. */
const logs = purgeableKinds.filter((kind) => kind !== 'channel_memory' && kind !== 'data_export');

// Old notifications, attempts and channel calls are archived and then purged. Nothing else is deleted.

let databaseUrl: string;
let fixture: TestDomain;
let old: Order[];
let young: Order[];
const archived: { kind: string; row: Record<string, unknown> }[] = [];
const archive = async (kind: string, rows: readonly string[]): Promise<void> => {
  archived.push(...rows.map((row) => ({ kind, row: JSON.parse(row) })));
};
const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await fixture.domain.database.pool.query<Row>(text, values)).rows;

beforeEach(async () => {
  await fixture?.close();
  archived.length = 0;
  databaseUrl = (await createTestDatabase()).url;
  fixture = await openTestDomain(databaseUrl);
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const orders = await Promise.all(Array.from({ length: 8 }, () => anOrderWithItsLogs(merchantId)));
  old = orders.slice(0, 5);
  young = orders.slice(5);
  await age(old, 100);
});
afterAll(() => fixture.close());

/** A paid payin whose notification was delivered. */
async function anOrderWithItsLogs(merchantId: string): Promise<Order> {
  const { domain } = fixture;
  const order = await placePayin(domain, merchantId, 'CN', { notifyUrl: 'http://127.0.0.1/notify' });
  await domain.commit(aReport(order, paid()));
  const claim = await claimNotification(domain, { ...order, status: 'completed' });
  if (!claim || claim === 'paused') throw new Error('nothing to deliver');
  const delivered = { address: '127.0.0.1', httpStatus: 200, reply: 'success', error: null, acknowledged: true };
  await recordAttempt(domain, claim, { startedAt: Date.now(), durationMs: 1, ...delivered });
  const { orderNo } = order;
  const call = {
    merchantId,
    orderNo,
    channelId: 'fake',
    operation: 'query',
    outcome: 'accepted',
    detail: null,
    isSent: true,
    isAnswer: true,
  } as const;
  domain.callLog.add({ ...call, startedAt: Date.now(), durationMs: 5 });
  await waitFor(
    'the call log',
    async () => (await sql('select from channel_call where order_no = $1', [orderNo])).length,
  );
  return order;
}

/** Makes everything this many days old, with the triggers disabled. */
async function age(orders: Order[], days: number): Promise<void> {
  const client = await fixture.domain.database.pool.connect();
  await client.query("set session_replication_role = 'replica'");
  const columns = {
    orders: 'created_at',
    order_transition: 'at',
    notification: 'created_at',
    notification_attempt: 'started_at',
    channel_call: 'started_at',
  };
  for (const [table, column] of Object.entries(columns))
    await client.query(`update ${table} set ${column} = ${column} - $2 * interval '1 day' where order_no = any($1)`, [
      orders.map(({ orderNo }) => orderNo),
      days,
    ]);
  await hashLedgerAgain(client, fixture.domain.database.orm);
  client.release(true);
}

const ordersIn = async (table: string): Promise<string[]> =>
  (await sql<{ no: string }>(`select distinct order_no as no from ${table} order by 1`)).map(({ no }) => no);
const numbers = (orders: Order[]): string[] => orders.map(({ orderNo }) => orderNo).sort();

async function purgeAll(limit = 2): Promise<void> {
  for (const kind of purgeableKinds) {
    let batches = 0;
    while (await purgeOldRows(fixture.domain, { kind, days: 90, archive, limit })) expect(++batches).toBeLessThan(20);
  }
}

test('old rows are archived and deleted, batch by batch; the ledger stays complete and correct', async () => {
  const before = await rowCounts(fixture.domain);
  const kept = await sql<{ row: object }>('select to_json(n) as row from notification n where order_no = any($1)', [
    numbers(old),
  ]);
  await purgeAll();
  for (const table of logs) expect(await ordersIn(table)).toEqual(numbers(young));
  const after = await rowCounts(fixture.domain);
  for (const table of purgeableKinds) delete before[table];
  expect(after).toMatchObject(before);
  expect((await audit(fixture.domain)).violations).toEqual([]);
  for (const kind of logs)
    expect(
      archived
        .filter((one) => one.kind === kind)
        .map(({ row }) => row.order_no)
        .sort(),
    ).toEqual(numbers(old));
  const bodies = archived.filter(({ kind }) => kind === 'notification').map(({ row }) => row);
  expect(bodies).toEqual(expect.arrayContaining(kept.map(({ row }) => row)));
});

test('a pending notification is never purged, and the audit still expects the notifications of young orders', async () => {
  const [waiting, missed] = [old[0], young[0]];
  await sql(
    "update notification set state = 'pending', next_attempt_at = now(), delivered_at = null where order_no = $1",
    [waiting?.orderNo],
  );
  await purgeAll();
  expect(await ordersIn('notification')).toEqual(numbers([...young, ...old.slice(0, 1)]));
  expect((await audit(fixture.domain)).violations).toEqual([]);
  await sql('delete from notification where order_no = $1', [missed?.orderNo]);
  expect((await audit(fixture.domain)).violations).toMatchObject([
    { rule: 'an ended order has exactly its notifications' },
  ]);
});

test('rows that cannot be archived are kept; rows that were archived but not deleted are archived again', async () => {
  const full = async (): Promise<never> => Promise.reject(new Error('ENOSPC'));
  await expect(purgeOldRows(fixture.domain, { kind: 'notification', days: 90, archive: full })).rejects.toThrow(
    'ENOSPC',
  );
  expect(await ordersIn('notification')).toEqual(numbers([...old, ...young]));
  // The purge that failed holds its lease until the lease expires.
  expect(await purgeOldRows(fixture.domain, { kind: 'notification', days: 90, archive })).toBe(false);
  expect(archived).toEqual([]);
  await sql("update retention set held_until = now() - interval '1 s' where kind = 'notification'");
  await purgeOldRows(fixture.domain, { kind: 'notification', days: 90, archive });
  expect(archived.map(({ row }) => row.order_no).sort()).toEqual(numbers(old));
  expect(await ordersIn('notification')).toEqual(numbers(young));
});

test('two concurrent purges archive and delete each row once', async () => {
  await Promise.all([1, 2, 3].map(() => purgeOldRows(fixture.domain, { kind: 'channel_call', days: 90, archive })));
  expect(archived.map(({ row }) => row.order_no).sort()).toEqual(numbers(old));
});

test('the database refuses to delete logs before the end of their retention, and to shorten the retention', async () => {
  for (const table of ['notification_attempt', 'channel_call'])
    await expect(sql(`delete from ${table} where order_no = $1`, [old[0]?.orderNo])).rejects.toThrow(
      `${table} is append-only: DELETE refused`,
    );
  await purgeAll();
  for (const table of ['notification_attempt', 'channel_call'])
    await expect(sql(`delete from ${table}`)).rejects.toThrow(`${table} is append-only: DELETE refused`);
  await expect(sql("update retention set until = until - interval '1 s'")).rejects.toThrow('only moves forward');
  // A longer retention from now on. Purged rows stay purged, and no younger row is deleted.
  await purgeOldRows(fixture.domain, { kind: 'channel_call', days: 400, archive });
  expect(await ordersIn('channel_call')).toEqual(numbers(young));
});

test('data that adapters stored about old orders is purged, except while an older order is open', async () => {
  const memory = openChannelMemory(fixture.domain.database, 'fake');
  await Promise.all(['old', 'young'].map((key) => memory.remember(key, 'x', 'order')));
  await memory.remember('beneficiary', 'x');
  const makeOld = (days: number, key: string) =>
    sql(`update channel_memory set created_at = clock_timestamp() - $1 * interval '1 day' where key = $2`, [days, key]);
  await makeOld(95, 'old');
  await makeOld(500, 'beneficiary');
  const purge = () => purgeOldRows(fixture.domain, { kind: 'channel_memory', days: 90, archive: null });
  const keys = async () =>
    (await sql<{ key: string }>('select key from channel_memory order by key')).map(({ key }) => key);
  const open = await placePayin(fixture.domain, old[0]?.merchantId ?? '', 'CN');
  await age([open], 100);
  await purge();
  expect(await keys()).toEqual(['beneficiary', 'old', 'young']);
  await fixture.domain.commit(aReport(open, { outcome: 'failed', reason: 'x' }));
  await purge();
  expect(await keys()).toEqual(['beneficiary', 'young']);
});

const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
/** All archived rows of a kind in one batch. */
async function* fromArchive(kind: string): AsyncGenerator<string[]> {
  yield archived.filter((one) => one.kind === kind).map(({ row }) => JSON.stringify(row));
}
const restore = (from: Date, to: Date, keepDays = 7) => restorePeriod(databaseUrl, { from, to, keepDays }, fromArchive);
const contentOf = (kind: string) =>
  sql(`select to_json(t)::text as row from ${kind} t where order_no = any($1) order by 1`, [numbers(old)]);

test('a period is restored as it was, once, and is purged again only after the days for which it is kept', async () => {
  const before = await Promise.all(logs.map(contentOf));
  await purgeAll();
  expect(await restore(daysAgo(101), daysAgo(99))).toEqual({
    notification: 5,
    notification_attempt: 5,
    channel_call: expect.any(Number),
  });
  expect(await Promise.all(logs.map(contentOf))).toEqual(before);
  expect(await restore(daysAgo(101), daysAgo(99))).toEqual({
    notification: 0,
    notification_attempt: 0,
    channel_call: 0,
  });
  expect((await audit(fixture.domain)).violations).toEqual([]);
  await purgeAll();
  expect(await Promise.all(logs.map(contentOf))).toEqual(before);
  await sql("update restored_period set keep_until = now() - interval '1 second'");
  await purgeAll();
  expect((await Promise.all(logs.map(contentOf))).flat()).toEqual([]);
});

test('what is outside the period is not restored', async () => {
  await purgeAll();
  const nothing = { notification: 0, notification_attempt: 0, channel_call: 0 };
  expect(await restore(daysAgo(110), daysAgo(101))).toEqual(nothing);
  expect(await restore(daysAgo(99), daysAgo(91))).toEqual(nothing);
});

test('rows of another release are restored: a column that no longer exists is left out, a new one gets its default', async () => {
  await purgeAll();
  for (const { row } of archived) row.gone_since = 'then';
  const withDefault = 'alter table notification_attempt add column new_since integer not null default 7';
  await sql(withDefault);
  await restore(daysAgo(101), daysAgo(99));
  expect(
    await sql('select distinct new_since from notification_attempt where order_no = any($1)', [numbers(old)]),
  ).toEqual([{ new_since: 7 }]);
});

test('a pending notification in an archive is not restored, because it would be sent', async () => {
  await purgeAll();
  for (const { row } of archived)
    if ('delivered_at' in row)
      Object.assign(row, { state: 'pending', delivered_at: null, next_attempt_at: row.created_at });
  expect(await restore(daysAgo(101), daysAgo(99))).toMatchObject({ notification: 0, notification_attempt: 5 });
});
