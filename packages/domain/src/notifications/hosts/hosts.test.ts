import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPageRequest } from '../../lists/page.ts';
import { type Scope, unrestricted } from '../../lists/scope.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/index.ts';
import { aBacklogOf, aNotification } from '../../testing/notifications.ts';
import type { NotificationRef } from '../deliver-notification.ts';
import { type HostFilter, loadWaiting, pageHosts } from './list-hosts.ts';
import { rollUpAttempts } from './roll-up-attempts.ts';

const minute = 60_000;
/** The beginning of a minute that is over. */
const then = Math.floor(Date.now() / minute) * minute - 10 * minute;

let fixture: TestDomain;
const refs: NotificationRef[] = [];
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  for (const host of ['shop.test', 'other.test'])
    refs.push(
      await aNotification(fixture.domain, (await aMerchant(fixture.domain, 'CN')).merchantId, `https://${host}/n`),
    );
  await summedUpTo(then);
});
afterAll(() => fixture.close());

let attempts = 0;
async function attempted(
  ref: NotificationRef | undefined,
  at: number,
  error: string | null,
  httpStatus: number | null,
): Promise<void> {
  attempts += 1;
  await fixture.domain.database.pool.query(
    `insert into notification_attempt (merchant_id, order_no, status, attempt, started_at, duration_ms, error, http_status)
     values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), 1, $6, $7)`,
    [ref?.merchantId, ref?.orderNo, ref?.status, attempts, at, error, httpStatus],
  );
}

/** Pretends that the log is summed up to this moment. */
async function summedUpTo(at: number): Promise<void> {
  await fixture.domain.database.pool.query(
    `update log_progress set until = to_timestamp($1::float8 / 1000) where log = 'notification_attempt'`,
    [at],
  );
}

async function rollUpToNow(): Promise<void> {
  while (await rollUpAttempts(fixture.domain));
}

async function hostsOf(filter: HostFilter = {}, scope: Scope = unrestricted) {
  const read = readPageRequest('notification_hosts', { first: 50 });
  if (!read.ok) throw new Error('no page');
  return (await pageHosts(fixture.domain, scope, filter, read.page)).rows;
}

test('a host has its last success and last failure, and each attempt is counted once', async () => {
  const [shop, other] = refs;
  await attempted(shop, then, null, 200);
  await attempted(shop, then + 1_000, 'status', 503);
  await attempted(shop, then + 2_000, 'timeout', null);
  await attempted(other, then, 'status', 500);
  await rollUpToNow();
  const [found] = await hostsOf({ host: 'shop.test:443' });
  const failed = { lastFailureAt: then + 2_000, lastError: 'timeout', lastHttpStatus: null };
  expect(found).toEqual({
    merchantId: shop?.merchantId,
    host: 'shop.test:443',
    lastSuccessAt: then,
    lastAttemptAt: then + 2_000,
    ...failed,
  });
  await attempted(shop, then + 5 * minute, null, 200);
  // Of a minute that was looked at before.
  await attempted(other, then + 3_000, null, 200);
  await summedUpTo(then + minute);
  await rollUpToNow();
  expect(await hostsOf({ host: 'shop.test:443' })).toMatchObject([{ lastSuccessAt: then + 5 * minute, ...failed }]);
  expect(await hostsOf({ host: 'other.test:443' })).toMatchObject([{ lastSuccessAt: null, lastHttpStatus: 500 }]);
  expect((await hostsOf({ failing: true })).map(({ host }) => host)).toEqual(['other.test:443']);
  expect((await hostsOf({ failing: false })).map(({ host }) => host)).toEqual(['shop.test:443']);
});

test('a merchant has a bounded number of hosts, and hosts that never worked are dropped first', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const hosts = ['works.test', 'random-1.test', 'random-2.test', 'random-3.test'];
  for (const [i, host] of hosts.entries()) {
    const ref = await aNotification(fixture.domain, merchantId, `https://${host}/n`);
    await attempted(ref, then + 6 * minute + i, i === 0 ? null : 'dns', i === 0 ? 200 : null);
  }
  await summedUpTo(then + 6 * minute);
  while (await rollUpAttempts(fixture.domain, 2));
  const kept = (await hostsOf({ merchantIds: [merchantId] })).map(({ host }) => host);
  expect(kept.toSorted()).toEqual(['random-3.test:443', 'works.test:443']);
});

test('a minute is summed up only when it is complete, and by one of two workers', async () => {
  await rollUpToNow();
  await attempted(refs[0], Date.now(), 'reset', null);
  expect(await Promise.all([rollUpAttempts(fixture.domain), rollUpAttempts(fixture.domain)])).toEqual([false, false]);
  expect(await hostsOf({ host: 'shop.test:443' })).toMatchObject([{ lastError: 'timeout' }]);
});

test('an operator sees hosts of the merchants within the restriction only', async () => {
  const merchantIds = [refs[1]?.merchantId ?? ''];
  expect(await hostsOf({}, { countries: null, merchantIds })).toMatchObject([{ host: 'other.test:443' }]);
  expect(await hostsOf({}, { countries: ['IN'], merchantIds: null })).toEqual([]);
});

test('waiting notifications are counted for each merchant and host, with the time of the oldest', async () => {
  const [shop, other] = refs;
  if (!shop || !other) throw new Error('no notifications');
  await aBacklogOf(fixture.domain, shop, 9);
  const { pool } = fixture.domain.database;
  await pool.query(
    `update notification set held_by = case when status in ('copy 1', 'copy 2') then 'pause' else 'host' end,
       attempt = case when status = 'copy 9' then 3 else 0 end where merchant_id = $1 and status like 'copy%'`,
    [shop.merchantId],
  );
  const { rows } = await pool.query<{ at: number }>(
    `select (extract(epoch from next_attempt_at) * 1000)::float8 as at from notification where merchant_id = $1 and status = 'copy 9'`,
    [shop.merchantId],
  );
  const hosts = [
    { ...other, host: 'other.test:443' },
    { ...shop, host: 'shop.test:443' },
    { ...shop, host: 'other.test:443' },
  ];
  expect(await loadWaiting(fixture.domain, hosts)).toEqual([
    { waiting: 0, isExact: true, oldestAt: null },
    { waiting: 9, isExact: true, oldestAt: rows[0]?.at },
    { waiting: 0, isExact: true, oldestAt: null },
  ]);
});
