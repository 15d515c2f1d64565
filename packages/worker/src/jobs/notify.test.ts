import { pauseNotifications } from '@tidegate/domain/admin';
import { aMerchant, aNotification, factsOf, openTestDomain, type TestDomain } from '@tidegate/domain/testing';
import {
  type AttemptResult,
  type ClaimedNotification,
  type NotificationRef,
  parkAtHost,
} from '@tidegate/domain/worker';
import { connectRedis, type RedisConnection } from '@tidegate/queue';
import { createTestDatabase, createTestRedis } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type DeliverySlots, openDeliverySlots } from '../delivery-slots/delivery-slots.ts';
import { openNotificationJobs } from '../delivery-slots/notification-jobs.ts';
import { type JobContext, notificationData } from './job.ts';
import { notify, retry } from './notify.ts';

// Single jobs on real stores: the effect of each on a notification, its slot and its backlog.

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
let fixture: TestDomain;
let redis: RedisConnection;
let slots: DeliverySlots;
let merchantId: string;
let sent: ClaimedNotification[];
let outcomes: string[];
let answer: (notification: ClaimedNotification) => Promise<AttemptResult>;
let ending: AbortController;
let hosts = 0;
let host: string;

beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  redis = connectRedis((await createTestRedis()).url, 'producer', silent);
  await vi.waitFor(() => expect(redis.status).toBe('ready'), 30_000);
  slots = openDeliverySlots(redis, { scheduleScale: 1 });
  merchantId = (await aMerchant(fixture.domain, 'CN')).merchantId;
});
afterAll(async () => {
  redis.disconnect();
  await fixture.close();
});
beforeEach(() => {
  host = `host-${++hosts}.test`;
  sent = [];
  outcomes = [];
  ending = new AbortController();
  answer = async () => ok;
});

const ok: AttemptResult = {
  startedAt: Date.now(),
  durationMs: 1,
  address: null,
  httpStatus: 200,
  reply: 'OK',
  error: null,
  acknowledged: true,
};

function context(changed: Partial<JobContext> = {}): JobContext {
  return {
    domain: fixture.domain,
    slots,
    ending: ending.signal,
    deliver: (notification) => {
      sent.push(notification);
      return answer(notification);
    },
    dueRotation: new Map(),
    backlogs: { wakeNext: async () => 0, releaseStranded: async () => undefined, wakeHost: async () => undefined },
    shares: { notify: openNotificationJobs(1), retry: openNotificationJobs(1) },
    notified: (outcome) => void outcomes.push(outcome),
    fullChannels: { mark: () => undefined, unmark: () => undefined, read: async () => new Set() },
    add: async () => undefined,
    countWaiting: async () => 0,
    ...changed,
  };
}

const some = async (count: number): Promise<NotificationRef[]> => {
  const refs: NotificationRef[] = [];
  for (let n = 0; n < count; n++) refs.push(await aNotification(fixture.domain, merchantId, `https://${host}/n`));
  return refs;
};
const place = () => ({ host: `${host}:443`, merchantId });
const run = (ref: NotificationRef | undefined, changed: Partial<JobContext> = {}, job = notify) =>
  job(context(changed), notificationData.parse({ queue: 'notify', ...ref, host: `${host}:443`, dueAt: 1 }));
const room = async () => (await slots.room([place()]))[0];
const facts = (ref: NotificationRef | undefined) => factsOf(fixture.domain, ref as NotificationRef);
const fillHost = () => Promise.all(Array.from({ length: 8 }, () => slots.enter(place(), 'first')));

test('a notification is delivered in a delivery slot, which is released afterwards', async () => {
  const [ref] = await some(1);
  expect(await run(ref)).toBe('delivered');
  expect(await room()).toBe(8);
  expect(outcomes).toEqual(['delivered']);
  expect(await run(ref)).toBe('not_due');
  expect(await room()).toBe(8);
});

test('at a full host a notification waits in the backlog, and the worker with the slot delivers it next', async () => {
  const [first, second, third] = await some(3);
  answer = async () => {
    answer = async () => ok;
    await fillHost();
    expect(await run(second)).toBe('host_full');
    expect(await run(third)).toBe('host_full');
    return ok;
  };
  expect(await run(first)).toBe('delivered');
  expect(sent.map(({ orderNo }) => orderNo)).toEqual([first, second, third].map((ref) => ref?.orderNo));
  expect(outcomes).toEqual(['host_full', 'host_full', 'delivered', 'delivered', 'delivered']);
  expect(await facts(third)).toMatchObject({ state: 'delivered', attempt: 1, attempts: 1 });
});

test('a job whose notification another job claimed delivers the next one of the backlog instead of releasing its slot', async () => {
  const [claimed, next] = await some(2);
  expect(await run(claimed)).toBe('delivered');
  await parkAtHost(fixture.domain, next as NotificationRef);
  await slots.markBacklog(place().host, true);
  expect(await run(claimed)).toBe('delivered');
  expect(sent.map(({ orderNo }) => orderNo)).toEqual([claimed, next].map((ref) => ref?.orderNo));
  expect(await room()).toBe(8);
});

test('after successes the next notification is claimed during an attempt, and an unused claim is released without costing an attempt', async () => {
  const refs = await some(4);
  for (const ref of refs.slice(1)) await parkAtHost(fixture.domain, ref);
  await slots.markBacklog(place().host, true);
  const claimedAhead = () => expect.poll(() => facts(refs[2])).toMatchObject({ attempt: 1 });
  answer = async () => {
    if (sent.length === 1) return ok;
    await claimedAhead();
    ending.abort();
    return ok;
  };
  expect(await run(refs[0])).toBe('delivered');
  expect(sent.map(({ orderNo }) => orderNo)).toEqual(refs.slice(0, 2).map((ref) => ref.orderNo));
  for (const ref of refs.slice(0, 2)) expect(await facts(ref)).toMatchObject({ state: 'delivered', attempts: 1 });
  expect(await facts(refs[2])).toMatchObject({ state: 'pending', attempt: 0, attempts: 0, heldBy: null });
  expect((await facts(refs[2])).wait).toBeLessThanOrEqual(10_000);
  expect(await facts(refs[3])).toMatchObject({ attempt: 0, heldBy: 'host' });
  expect(await room()).toBe(8);
});

test('a notification that should wait is delivered at once if a slot was released meanwhile', async () => {
  const [ref] = await some(1);
  const takenSlots = await fillHost();
  const enter: DeliverySlots['enter'] = async (backlog, how) => {
    const entered = await slots.enter(backlog, how);
    // Between the refusal and the parking.
    for (const slot of takenSlots.splice(0)) if (typeof slot === 'object') await slots.leave(slot, 'delivered', false);
    return entered;
  };
  expect(await run(ref, { slots: { ...slots, enter } })).toBe('delivered');
  expect(outcomes).toEqual(['host_full', 'delivered']);
});

test('a job for first attempts leaves waiting retries to the queue for retries', async () => {
  const [first, tried] = await some(2);
  await fixture.domain.database.pool.query('update notification set attempt = 1 where order_no = $1', [tried?.orderNo]);
  await parkAtHost(fixture.domain, tried as NotificationRef);
  await slots.markBacklog(place().host, true);
  const woken: string[] = [];
  const backlogs = {
    wakeNext: async () => 0,
    releaseStranded: async () => undefined,
    wakeHost: async (at: string) => void woken.push(at),
  };
  expect(await run(first, { backlogs })).toBe('delivered');
  expect(await facts(tried)).toMatchObject({ state: 'pending', heldBy: 'host' });
  expect(woken).toEqual([place().host]);
  expect(await room()).toBe(8);
  expect(await run(tried, {}, retry)).toBe('delivered');
});

test('a pause of the merchant applies to its whole backlog', async () => {
  const [first, second, third] = await some(3);
  await parkAtHost(fixture.domain, second as NotificationRef);
  await parkAtHost(fixture.domain, third as NotificationRef);
  await pauseNotifications(fixture.domain, merchantId, true);
  expect(await run(first)).toBe('paused');
  expect(sent).toEqual([]);
  for (const ref of [first, second, third]) expect(await facts(ref)).toMatchObject({ attempt: 0, heldBy: 'pause' });
  expect(await room()).toBe(8);
  await pauseNotifications(fixture.domain, merchantId, false);
});

test('at shutdown a job delivers no further notification of its backlog', async () => {
  const [first, second] = await some(2);
  await parkAtHost(fixture.domain, second as NotificationRef);
  await slots.markBacklog(place().host, true);
  ending.abort();
  expect(await run(first)).toBe('delivered');
  expect(sent).toHaveLength(1);
  expect(await facts(second)).toMatchObject({ heldBy: 'host' });
});

test('notifications of a merchant that uses its share of the jobs wait in the backlog', async () => {
  const [ref] = await some(1);
  const shares = { notify: openNotificationJobs(1), retry: openNotificationJobs(1) };
  for (let n = 0; n < 8; n++) shares.notify.takeNow(merchantId);
  expect(await run(ref, { shares })).toBe('merchant_busy');
  expect(await facts(ref)).toMatchObject({ attempt: 0, heldBy: 'host' });
  expect(outcomes).toEqual(['merchant_busy']);
});

test('after ten failures the breaker is open, and the next notification waits in the backlog without using an attempt', async () => {
  const refs = await some(11);
  answer = async () => ({ ...ok, httpStatus: 500, error: 'status', acknowledged: false });
  for (const ref of refs.slice(0, 10)) expect(await run(ref)).toBe('retry');
  expect(await run(refs[10])).toBe('breaker_open');
  expect(await facts(refs[10])).toMatchObject({ attempt: 0, attempts: 0, heldBy: 'host' });
  expect(sent).toHaveLength(10);
});

test('an attempt in which nothing could be sent does not count, and its slot is released', async () => {
  const [ref] = await some(1);
  answer = () => Promise.reject(new Error('no key of our own'));
  await expect(run(ref)).rejects.toThrow('no key');
  expect(await facts(ref)).toMatchObject({ state: 'pending', attempt: 0, attempts: 0 });
  expect(await room()).toBe(8);
});

test('without Redis there are no delivery slots, and the notification stays due', async () => {
  const [ref] = await some(1);
  const enter = () => Promise.reject(new Error('Redis is unavailable'));
  expect(await run(ref, { slots: { ...slots, enter } })).toBe('redis_away');
  expect(await facts(ref)).toMatchObject({ attempt: 0, heldBy: null });
  expect(sent).toEqual([]);
});

test('an attempt whose slot cannot be released is still recorded', async () => {
  const [ref] = await some(1);
  const leave = () => Promise.reject(new Error('Redis is unavailable'));
  expect(await run(ref, { slots: { ...slots, leave } })).toBe('delivered');
  expect(await facts(ref)).toMatchObject({ state: 'delivered', attempts: 1 });
});

test('an attempt is recorded, although the previous one could not be recorded', async () => {
  const [held, next] = await some(2);
  await parkAtHost(fixture.domain, next as NotificationRef);
  await slots.markBacklog(place().host, true);
  const { deliveries } = fixture.domain;
  const record: typeof deliveries.record = async (attempt) => {
    if (attempt.orderNo === held?.orderNo) throw new Error('another session holds it');
    await deliveries.record(attempt);
  };
  await expect(run(held, { domain: { ...fixture.domain, deliveries: { ...deliveries, record } } })).rejects.toThrow();
  expect(sent).toHaveLength(2);
  expect(await facts(next)).toMatchObject({ state: 'delivered', attempts: 1 });
});

test('a notification without a host is delivered without a slot', async () => {
  const [ref] = await some(1);
  await fixture.domain.database.pool.query(`update notification set host = '' where order_no = $1`, [ref?.orderNo]);
  const enter = () => Promise.reject(new Error('never called'));
  const job = notificationData.parse({ queue: 'notify', ...ref, host: '', dueAt: 1 });
  expect(await notify(context({ slots: { ...slots, enter } }), job)).toBe('delivered');
  expect(await facts(ref)).toMatchObject({ state: 'delivered' });
});
