import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OrderStatus } from '../core/order.ts';
import { resendNotification } from '../ledger/resend-notifications.ts';
import { dueWork } from '../orders/due-work.ts';
import { aMerchant, factsOf, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { by } from '../testing/payouts.ts';
import {
  type AttemptResult,
  claimNextParked,
  claimNotification,
  type NotificationClaim,
  type NotificationRef,
  parkAtHost,
  recordAttempt,
} from './deliver-notification.ts';
import { notificationFigures, notificationStates } from './figures/notification-figures.ts';
import { releaseStranded } from './host-backlog.ts';

// Decisions 7.3: a newer notification of an order waits until the older one was acknowledged or is exhausted.

let fixture: TestDomain;
let url: string;
let merchantId: string;
beforeAll(async () => {
  ({ url } = await createTestDatabase());
  fixture = await openTestDomain(url, { scheduleScale: 0 });
  merchantId = (await aMerchant(fixture.domain, 'CN')).merchantId;
});
afterAll(() => fixture.close());
beforeEach(() => {
  fixture.woken.length = 0;
});

const failure: AttemptResult = {
  startedAt: 1_700_000_000_123,
  durationMs: 12,
  address: null,
  httpStatus: 500,
  reply: null,
  error: 'status',
  acknowledged: false,
};
const success: AttemptResult = { ...failure, httpStatus: 200, error: null, acknowledged: true };
let hosts = 0;

/** A payin that failed and whose late money was credited: two notifications. */
async function twoNotifications(): Promise<{ failed: NotificationRef; completed: NotificationRef; host: string }> {
  const host = `order-${++hosts}.test:443`;
  const { commit } = fixture.domain;
  const order = await placePayin(fixture.domain, merchantId, 'CN', { notifyUrl: `https://${host}/n` });
  await commit(aReport(order, { outcome: 'failed', reason: 'no' }));
  await commit(aReport(order, paid(`P-${order.orderNo}`)));
  const { rows } = await fixture.domain.database.pool.query<{ caseNo: number }>(
    `select case_no::integer as "caseNo" from money_case where order_no = $1`,
    [order.orderNo],
  );
  const caseNo = rows[0]?.caseNo ?? 0;
  const credited = await commit({
    type: 'creditCase',
    merchantId,
    caseNo,
    orderNo: order.orderNo,
    by: by('alice', 'bob'),
  });
  expect(credited).toMatchObject({ ok: true });
  const { orderNo } = order;
  const ref = (status: OrderStatus): NotificationRef => ({ merchantId, orderNo, status });
  return { failed: ref('failed'), completed: ref('completed'), host };
}

async function claimed(ref: NotificationRef): Promise<NotificationClaim> {
  const claim = await claimNotification(fixture.domain, ref);
  if (!claim || claim === 'paused') throw new Error(`${ref.status} is not to be had`);
  return claim;
}
const attempt = async (ref: NotificationRef, result: AttemptResult) =>
  recordAttempt(fixture.domain, await claimed(ref), result);
const factsOfIt = (ref: NotificationRef) => factsOf(fixture.domain, ref);
const exhaust = async (ref: NotificationRef): Promise<void> => {
  while ((await attempt(ref, failure)) === 'retry') expect(await factsOfIt(ref)).toMatchObject({ state: 'pending' });
};
const isDue = async ({ orderNo, status }: NotificationRef): Promise<boolean> =>
  (await dueWork(fixture.domain, 2_000)).some(
    (work) => 'status' in work && work.orderNo === orderNo && work.status === status,
  );

test('a newer notification of an order cannot be claimed until the older one is settled', async () => {
  const { failed, completed } = await twoNotifications();
  expect(await claimNotification(fixture.domain, completed)).toBeNull();
  expect(await factsOfIt(completed)).toMatchObject({ state: 'pending', attempt: 0, heldBy: 'order' });
  const first = await claimed(failed);
  expect(await claimNotification(fixture.domain, completed)).toBeNull();
  await recordAttempt(fixture.domain, first, failure);
  expect(await claimNotification(fixture.domain, completed)).toBeNull();
  expect(await isDue(completed)).toBe(false);
  expect(await factsOfIt(completed)).toMatchObject({ attempt: 0, attempts: 0, heldBy: 'order' });
});

test.each([
  ['acknowledged', (ref: NotificationRef) => attempt(ref, success)],
  ['exhausted', exhaust],
])('once the older notification is %s, the newer one is due and the workers are woken', async (_name, settle) => {
  const { failed, completed } = await twoNotifications();
  await claimNotification(fixture.domain, completed);
  fixture.woken.length = 0;
  await settle(failed);
  expect(await factsOfIt(completed)).toMatchObject({ attempt: 0, heldBy: null });
  const due = (await dueWork(fixture.domain, 2_000)).filter((work) => work.orderNo === completed.orderNo);
  expect(due).toMatchObject([{ queue: 'notify', status: 'completed' }]);
  expect(fixture.woken).toEqual(due);
  expect(await attempt(completed, success)).toBe('delivered');
});

test('a parked notification that must wait for an older one leaves the backlog, and the next one is claimed', async () => {
  const { failed, completed, host } = await twoNotifications();
  const line = { host, merchantId, firstOnly: false };
  await fixture.domain.database.pool.query(
    `update notification set held_by = 'host' where order_no = $1 and status = 'completed'`,
    [completed.orderNo],
  );
  expect(await claimNextParked(fixture.domain, line)).toBeNull();
  expect(await factsOfIt(completed)).toMatchObject({ attempt: 0, heldBy: 'order' });
  expect(await parkAtHost(fixture.domain, failed)).toBe(true);
  expect(await claimNextParked(fixture.domain, line)).toMatchObject({ status: 'failed', attempt: 1 });
});

test('a notification with an older one before it waits instead of being parked', async () => {
  const { failed, completed } = await twoNotifications();
  expect(await parkAtHost(fixture.domain, completed)).toBe(true);
  expect(await parkAtHost(fixture.domain, failed)).toBe(true);
  expect(await factsOfIt(completed)).toMatchObject({ heldBy: 'order' });
  expect(await factsOfIt(failed)).toMatchObject({ heldBy: 'host' });
});

test('of two notifications of one order in a batch only the older one is claimed', async () => {
  const { failed, completed } = await twoNotifications();
  const [newer, older] = await Promise.all([
    claimNotification(fixture.domain, completed),
    claimNotification(fixture.domain, failed),
  ]);
  expect([newer, older]).toMatchObject([null, { status: 'failed', attempt: 1 }]);
});

test('if the older notification is settled during a claim of the newer one, the newer one is released, at the latest by the search for stranded ones', async () => {
  const other = await openTestDomain(url, { scheduleScale: 0 });
  try {
    for (let round = 0; round < 120; round++) {
      const { failed, completed } = await twoNotifications();
      const first = await claimed(failed);
      const [, , claim] = await Promise.all([
        recordAttempt(fixture.domain, first, success),
        parkAtHost(other.domain, completed),
        claimNotification(other.domain, completed),
      ]);
      const { heldBy, state } = await factsOfIt(completed);
      expect(state).toBe('pending');
      if (claim !== null || heldBy !== 'order') continue;
      await releaseStranded(fixture.domain, 0, 1_000);
      expect(await factsOfIt(completed)).toMatchObject({ state: 'pending', heldBy: null });
    }
  } finally {
    await other.close();
  }
});

test('a resent notification holds back no newer one, but several resent together keep their order', async () => {
  const { failed, completed, host } = await twoNotifications();
  const resend = (requestKey: string, status: OrderStatus | null) =>
    resendNotification(fixture.domain, { merchantId, requestKey }, { orderNo: failed.orderNo, status }, by('alice'));
  await exhaust(failed);
  expect(await resend(`one-${host}`, 'failed')).toMatchObject({ ok: true, value: { resent: 1 } });
  expect(await attempt(completed, success)).toBe('delivered');
  expect(await attempt(failed, success)).toBe('delivered');
  expect(await resend(`two-${host}`, null)).toMatchObject({ ok: true, value: { resent: 2 } });
  expect(await claimNotification(fixture.domain, completed)).toBeNull();
  expect(await attempt(failed, success)).toBe('delivered');
  expect(await attempt(completed, success)).toBe('delivered');
});

test('a notification that was resent before it was settled still holds back the newer one', async () => {
  const { failed, completed, host } = await twoNotifications();
  await attempt(failed, failure);
  const again = await resendNotification(
    fixture.domain,
    { merchantId, requestKey: `early-${host}` },
    { orderNo: failed.orderNo, status: 'failed' },
    by('alice'),
  );
  expect(again).toMatchObject({ ok: true, value: { resent: 1 } });
  expect(await claimNotification(fixture.domain, completed)).toBeNull();
  await attempt(failed, success);
  expect(await attempt(completed, success)).toBe('delivered');
});

test('notifications that wait for an older one are counted', async () => {
  const before = await notificationStates(fixture.domain);
  const figure = async () => (await notificationFigures(fixture.domain)).find(({ place }) => place === 'order');
  const { count = 0 } = (await figure()) ?? {};
  const { completed } = await twoNotifications();
  await claimNotification(fixture.domain, completed);
  expect(await figure()).toMatchObject({ count: count + 1 });
  expect((await notificationStates(fixture.domain)).pending).toBe(before.pending + 2);
});

test('a notification whose older one was settled without releasing it is found, however many wait before it', async () => {
  const held = await Promise.all([twoNotifications(), twoNotifications(), twoNotifications()]);
  for (const { completed } of held) await claimNotification(fixture.domain, completed);
  const [, , last] = held as [unknown, unknown, (typeof held)[0]];
  await fixture.domain.database.pool.query(
    `update notification set state = 'delivered', next_attempt_at = null, delivered_at = clock_timestamp() where order_no = $1 and status = 'failed'`,
    [last.failed.orderNo],
  );
  let after: number | null = 0;
  for (let looks = 0; after !== null && looks < 100; looks++) after = await releaseStranded(fixture.domain, after, 1);
  expect(await factsOfIt(last.completed)).toMatchObject({ heldBy: null });
  expect(await isDue(last.completed)).toBe(true);
  for (const { completed } of held.slice(0, 2)) expect(await factsOfIt(completed)).toMatchObject({ heldBy: 'order' });
});
