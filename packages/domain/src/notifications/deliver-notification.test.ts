import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notificationWaits, workLease } from '../core/schedule.ts';
import { dueWork } from '../orders/due-work.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import {
  type AttemptResult,
  claimNotification,
  giveBackClaim,
  type NotificationClaim,
  type NotificationRef,
  recordAttempt,
} from './deliver-notification.ts';

let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  merchantId = (await aMerchant(fixture.domain, 'CN')).merchantId;
});
afterAll(() => fixture.close());

async function aNotification(): Promise<NotificationRef> {
  const order = await placePayin(fixture.domain, merchantId, 'CN');
  await fixture.domain.commit(aReport(order, paid()));
  return { merchantId, orderNo: order.orderNo, status: 'completed' };
}

const failure: AttemptResult = {
  startedAt: 1_700_000_000_123,
  durationMs: 12,
  address: '127.0.0.1',
  httpStatus: 500,
  reply: 'no',
  error: null,
  acknowledged: false,
};
const success: AttemptResult = { ...failure, httpStatus: 200, reply: 'OK', acknowledged: true };

interface Row {
  state: string;
  attempt: number;
  wait: number | null;
  delivered: boolean;
  attempts: number;
}

/** The notification's row; `wait` in ms from now, which is rounded to whole milliseconds like what the column holds. */
async function rowOf(ref: NotificationRef): Promise<Row> {
  const { rows } = await fixture.domain.database.pool.query<Row>(
    `select state, attempt, (extract(epoch from next_attempt_at - clock_timestamp()::timestamptz(3)) * 1000)::float8 as wait, delivered_at is not null as delivered,
       (select count(*) from notification_attempt a where a.order_no = n.order_no)::integer as attempts
     from notification n where merchant_id = $1 and order_no = $2`,
    [ref.merchantId, ref.orderNo],
  );
  if (!rows[0]) throw new Error('no notification');
  return rows[0];
}

async function claim(ref: NotificationRef): Promise<NotificationClaim> {
  const { rowCount } = await fixture.domain.database.pool.query(
    `update notification set next_attempt_at = clock_timestamp() where merchant_id = $1 and order_no = $2 and state = 'pending'`,
    [ref.merchantId, ref.orderNo],
  );
  const claimed = await claimNotification(fixture.domain, ref);
  if (rowCount !== 1 || !claimed || claimed === 'paused') throw new Error('nothing to claim');
  return claimed;
}

test('a new notification is due at once, sends a wake-up, and is claimed by one worker only', async () => {
  const ref = await aNotification();
  const due = (await dueWork(fixture.domain, 100)).filter((work) => work.orderNo === ref.orderNo);
  expect(due).toEqual([{ queue: 'notify', ...ref, host: 'shop.test:443', dueAt: expect.any(Number) }]);
  expect(fixture.woken).toContainEqual(due[0]);
  const claims = await Promise.all(Array.from({ length: 5 }, () => claimNotification(fixture.domain, ref)));
  const won = claims.filter((claimed) => claimed !== null && claimed !== 'paused');
  expect(won).toMatchObject([{ ...ref, attempt: 1, url: 'https://shop.test/n' }]);
  expect(JSON.parse(won[0]?.body ?? '')).toMatchObject({
    orderType: 'payin',
    orderNo: ref.orderNo,
    status: 'completed',
    currency: 'CNY',
  });
  expect((await rowOf(ref)).wait).toBeGreaterThan(workLease - 5_000);
  expect((await dueWork(fixture.domain, 100)).filter((work) => work.orderNo === ref.orderNo)).toEqual([]);
});

test('a notification has 16 attempts, each after its wait ±10 %, and is then exhausted', async () => {
  const ref = await aNotification();
  for (const [i, wait] of notificationWaits.entries()) {
    const claimed = await claim(ref);
    expect(claimed.attempt).toBe(i + 1);
    expect(await recordAttempt(fixture.domain, claimed, failure)).toBe('retry');
    const row = await rowOf(ref);
    expect(row).toMatchObject({ state: 'pending', attempt: i + 1, attempts: i + 1 });
    // Some time passes between the writing and the look.
    expect(row.wait).toBeGreaterThan(wait * 0.9 - 2_000);
    expect(row.wait).toBeLessThanOrEqual(wait * 1.1);
  }
  const lastOne = await claim(ref);
  expect(lastOne.attempt).toBe(16);
  expect(await recordAttempt(fixture.domain, lastOne, failure)).toBe('exhausted');
  expect(await rowOf(ref)).toEqual({ state: 'exhausted', attempt: 16, wait: null, delivered: false, attempts: 16 });
  expect(await claimNotification(fixture.domain, ref)).toBeNull();
});

test('a job for a first attempt that comes late leaves the retry to the queue for retries', async () => {
  const ref = await aNotification();
  const first = (await claimNotification(fixture.domain, ref, true)) as NotificationClaim;
  await recordAttempt(fixture.domain, first, failure);
  await fixture.domain.database.pool.query(
    'update notification set next_attempt_at = clock_timestamp() where order_no = $1',
    [ref.orderNo],
  );
  expect(await claimNotification(fixture.domain, ref, true)).toBeNull();
  expect(await claimNotification(fixture.domain, ref)).toMatchObject({ attempt: 2 });
});

test('Retry-After lengthens a wait, never shortens it, and never beyond an hour', async () => {
  const waitAfter = async (retryAfterMs: number): Promise<number> => {
    const ref = await aNotification();
    await recordAttempt(fixture.domain, await claim(ref), { ...failure, httpStatus: 429, retryAfterMs });
    return (await rowOf(ref)).wait ?? 0;
  };
  expect(await waitAfter(1_000)).toBeGreaterThan(11_000);
  expect(Math.abs((await waitAfter(120_000)) - 120_000)).toBeLessThan(2_000);
  expect(Math.abs((await waitAfter(86_400_000)) - 3_600_000)).toBeLessThan(2_000);
});

test('an acknowledged notification stays delivered, whatever late results come', async () => {
  const ref = await aNotification();
  const first = await claim(ref);
  const second = await claim(ref);
  expect(second.attempt).toBe(2);
  expect(await recordAttempt(fixture.domain, second, success)).toBe('delivered');
  await recordAttempt(fixture.domain, first, failure);
  await recordAttempt(fixture.domain, first, failure);
  expect(await rowOf(ref)).toEqual({ state: 'delivered', attempt: 2, wait: null, delivered: true, attempts: 2 });
});

test('a late failure does not affect the current attempt; a late success ends it', async () => {
  const ref = await aNotification();
  const first = await claim(ref);
  await claim(ref);
  await recordAttempt(fixture.domain, first, failure);
  const row = await rowOf(ref);
  expect(row).toMatchObject({ state: 'pending', attempt: 2 });
  expect(row.wait).toBeGreaterThan(workLease - 5_000);
  expect(await recordAttempt(fixture.domain, first, success)).toBe('delivered');
  expect(await rowOf(ref)).toMatchObject({ state: 'delivered', delivered: true });
});

test('any reply of an endpoint can be stored', async () => {
  const ref = await aNotification();
  const reply = `\u0000\ud800${'😀'.repeat(600)}`;
  expect(await recordAttempt(fixture.domain, await claim(ref), { ...failure, reply, error: 'bad \u0000 header' })).toBe(
    'retry',
  );
  const { rows } = await fixture.domain.database.pool.query(
    'select reply, error, started_at::text, duration_ms from notification_attempt where order_no = $1',
    [ref.orderNo],
  );
  expect(rows).toEqual([
    {
      reply: `\ufffd\ufffd${'😀'.repeat(511)}`,
      error: 'bad \ufffd header',
      started_at: '2023-11-14 22:13:20.123+00',
      duration_ms: 12,
    },
  ]);
});

test('a claim that is given back costs no attempt, and giving it back late changes nothing', async () => {
  const ref = await aNotification();
  const late = await claim(ref);
  await giveBackClaim(fixture.domain, late);
  const row = await rowOf(ref);
  expect(row).toMatchObject({ state: 'pending', attempt: 0, attempts: 0 });
  expect(row.wait).toBeGreaterThan(5_000);
  expect(row.wait).toBeLessThanOrEqual(10_000);
  await recordAttempt(fixture.domain, await claim(ref), success);
  await giveBackClaim(fixture.domain, late);
  expect(await rowOf(ref)).toMatchObject({ state: 'delivered', attempt: 1 });
});
