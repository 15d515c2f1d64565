import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dueWork } from '../orders/due-work.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aNotification, factsOf, failure } from '../testing/notifications.ts';
import {
  claimNextParked,
  claimNotification,
  type NotificationClaim,
  type NotificationRef,
  parkAtHost,
  recordAttempt,
} from './deliver-notification.ts';
import { notificationFigures, type WaitingFigures, type WaitingPlace } from './figures/notification-figures.ts';
import {
  type BacklogRound,
  backlogsOfHost,
  firstOfBacklogs,
  nextBacklogs,
  pauseBacklog,
  releaseResumed,
} from './host-backlog.ts';
import { pauseNotifications } from './pause-notifications.ts';

let fixture: TestDomain;
let merchantId: string;
let hosts = 0;
let host: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  merchantId = (await aMerchant(fixture.domain, 'CN')).merchantId;
});
afterAll(() => fixture.close());

/** Notifications to a host that nothing else goes to. */
async function toOneHost(count: number): Promise<NotificationRef[]> {
  host = `host-${++hosts}.test:443`;
  const refs: NotificationRef[] = [];
  for (let i = 0; i < count; i++)
    refs.push(await aNotification(fixture.domain, merchantId, `https://host-${hosts}.test/n`));
  return refs;
}

const isDue = async ({ orderNo }: NotificationRef): Promise<boolean> =>
  (await dueWork(fixture.domain, 2_000)).some((work) => work.orderNo === orderNo);
const next = (firstOnly = false) => claimNextParked(fixture.domain, { host, merchantId, firstOnly });
const orderNoOf = (claim: NotificationClaim | 'paused' | null) => (claim && claim !== 'paused' ? claim.orderNo : claim);
const makeDue = (ref: NotificationRef) =>
  fixture.domain.database.pool.query(
    'update notification set next_attempt_at = clock_timestamp() where order_no = $1',
    [ref.orderNo],
  );
const start: BacklogRound = { afterMerchant: '', afterHosts: new Map() };
const backlogs = async () =>
  (await nextBacklogs(fixture.domain, start, 1_000)).backlogs.filter((backlog) => backlog.host === host);

test('a parked notification is not on the schedule, uses no attempt, and is claimed in order', async () => {
  const [first, second] = (await toOneHost(2)) as [NotificationRef, NotificationRef];
  expect(await parkAtHost(fixture.domain, second)).toBe(true);
  expect(await parkAtHost(fixture.domain, first)).toBe(true);
  expect(await parkAtHost(fixture.domain, first)).toBe(false);
  expect(await factsOf(fixture.domain, first)).toMatchObject({ state: 'pending', attempt: 0, heldBy: 'host' });
  expect([await isDue(first), await isDue(second)]).toEqual([false, false]);
  expect(await backlogs()).toEqual([{ host, merchantId }]);
  const works = await firstOfBacklogs(fixture.domain, [{ host, merchantId, count: 8 }]);
  expect(works.map((work) => work.orderNo)).toEqual([first.orderNo, second.orderNo]);
  expect(works[0]).toEqual({ queue: 'notify', ...first, host, dueAt: expect.any(Number) });
  expect(await next()).toMatchObject({ ...first, host, attempt: 1 });
  expect(orderNoOf(await claimNotification(fixture.domain, second))).toBe(second.orderNo);
  expect(await next()).toBeNull();
  expect(await backlogs()).toEqual([]);
  expect(await factsOf(fixture.domain, first)).toMatchObject({ attempt: 1, heldBy: null });
});

test('a notification that is not due, or claimed, cannot be parked', async () => {
  const [ref] = (await toOneHost(1)) as [NotificationRef];
  const claim = await claimNotification(fixture.domain, ref);
  expect(await parkAtHost(fixture.domain, ref)).toBe(false);
  await recordAttempt(fixture.domain, claim as NotificationClaim, failure);
  expect(await parkAtHost(fixture.domain, ref)).toBe(false);
});

test('in a backlog first attempts come before retries, and retries are claimed separately', async () => {
  const [tried, fresh] = (await toOneHost(2)) as [NotificationRef, NotificationRef];
  await recordAttempt(fixture.domain, (await claimNotification(fixture.domain, tried)) as NotificationClaim, failure);
  await makeDue(tried);
  const due = (await dueWork(fixture.domain, 2_000)).filter((work) => 'host' in work && work.host === host);
  expect(due.map(({ queue, orderNo }) => [queue, orderNo])).toEqual([
    ['notify', fresh.orderNo],
    ['retry', tried.orderNo],
  ]);
  await Promise.all([parkAtHost(fixture.domain, tried), parkAtHost(fixture.domain, fresh)]);
  await fixture.domain.database.pool.query(
    `update notification set next_attempt_at = next_attempt_at - interval '1 hour' where order_no = $1`,
    [tried.orderNo],
  );
  const works = await firstOfBacklogs(fixture.domain, [{ host, merchantId, count: 8 }]);
  expect(works.map(({ queue, orderNo }) => [queue, orderNo])).toEqual([
    ['notify', fresh.orderNo],
    ['retry', tried.orderNo],
  ]);
  expect(orderNoOf(await next())).toBe(fresh.orderNo);
  expect(await next(true)).toBeNull();
  expect(orderNoOf(await next())).toBe(tried.orderNo);
});

test('concurrent claims of a backlog get one notification each', async () => {
  const refs = await toOneHost(6);
  await Promise.all(refs.map((ref) => parkAtHost(fixture.domain, ref)));
  const claims = await Promise.all(Array.from({ length: 9 }, () => next()));
  const claimed = claims.map(orderNoOf).filter((orderNo) => orderNo !== null);
  expect(claimed.sort()).toEqual(refs.map((ref) => ref.orderNo).sort());
});

test('the backlog of each merchant at one host is found', async () => {
  const other = (await aMerchant(fixture.domain, 'CN')).merchantId;
  const [ref] = (await toOneHost(1)) as [NotificationRef];
  const theirs = await aNotification(fixture.domain, other, `https://${host}/n`);
  await Promise.all([parkAtHost(fixture.domain, ref), parkAtHost(fixture.domain, theirs)]);
  const both = [merchantId, other].sort().map((id) => ({ host, merchantId: id }));
  expect(await backlogsOfHost(fixture.domain, host, 10)).toEqual(both);
  expect(await backlogsOfHost(fixture.domain, host, 1)).toEqual(both.slice(0, 1));
  for (const backlog of both) await claimNextParked(fixture.domain, { ...backlog, firstOnly: true });
});

test('a merchant with many hosts does not delay others: each merchant gets the same share, and its hosts take turns', async () => {
  const { pool } = fixture.domain.database;
  await pool.query("update notification set held_by = null where held_by = 'host'");
  const [many, one, few] = (
    await Promise.all(['CN', 'CN', 'CN'].map(async () => (await aMerchant(fixture.domain, 'CN')).merchantId))
  ).sort() as [string, string, string];
  const hosts: [string, number][] = [
    [many, 7],
    [one, 1],
    [few, 2],
  ];
  for (const [merchant, count] of hosts)
    for (let n = 0; n < count; n++)
      await parkAtHost(fixture.domain, await aNotification(fixture.domain, merchant, `https://h${n}.test/n`));
  let round = start;
  const visit = async (): Promise<string[]> => {
    const next = await nextBacklogs(fixture.domain, round, 6);
    round = next.round;
    return next.backlogs.map((backlog) => `${[many, one, few].indexOf(backlog.merchantId)} ${backlog.host[1]}`);
  };
  // Three merchants at once, with two hosts each.
  expect(await visit()).toEqual(['0 0', '0 1', '1 0', '2 0', '2 1']);
  const visits: string[] = [];
  for (let n = 0; n < 8; n++) visits.push(...(await visit()));
  for (let n = 0; n < 7; n++) expect(visits).toContain(`0 ${n}`);
  expect(visits.filter((visited) => visited === '1 0').length).toBeGreaterThan(2);
  await pool.query("update notification set held_by = null where held_by = 'host'");
});

test('a paused merchant keeps due notifications waiting, and the end of the pause releases them, the longest due first', async () => {
  const refs = await toOneHost(3);
  const [first, second, third] = refs as [NotificationRef, NotificationRef, NotificationRef];
  expect(await pauseNotifications(fixture.domain, merchantId, true)).toBe(true);
  expect(await pauseNotifications(fixture.domain, merchantId, true)).toBe(false);
  await parkAtHost(fixture.domain, third);
  expect(await claimNotification(fixture.domain, second)).toBe('paused');
  expect(await claimNotification(fixture.domain, first)).toBe('paused');
  expect(await claimNotification(fixture.domain, first)).toBeNull();
  expect(await pauseBacklog(fixture.domain, { host, merchantId })).toBe(1);
  for (const ref of refs) {
    expect(await factsOf(fixture.domain, ref)).toMatchObject({ state: 'pending', attempt: 0, heldBy: 'pause' });
    expect(await isDue(ref)).toBe(false);
  }
  expect(await releaseResumed(fixture.domain, 100)).toBe(0);
  await pauseNotifications(fixture.domain, merchantId, false);
  expect(await releaseResumed(fixture.domain, 2)).toBe(2);
  expect([orderNoOf(await next()), orderNoOf(await next()), await next()]).toEqual([
    first.orderNo,
    second.orderNo,
    null,
  ]);
  expect(await releaseResumed(fixture.domain, 2)).toBe(1);
  expect(orderNoOf(await next())).toBe(third.orderNo);
  expect(await pauseBacklog(fixture.domain, { host, merchantId })).toBe(0);
});

test('a running attempt is not affected by the pause of its merchant', async () => {
  const [ref] = (await toOneHost(1)) as [NotificationRef];
  const claim = (await claimNotification(fixture.domain, ref)) as NotificationClaim;
  await pauseNotifications(fixture.domain, merchantId, true);
  expect(await recordAttempt(fixture.domain, claim, { ...failure, acknowledged: true })).toBe('delivered');
  await pauseNotifications(fixture.domain, merchantId, false);
});

test('the metrics show where notifications wait, and for how long', async () => {
  const [one, two, three] = (await toOneHost(3)) as [NotificationRef, NotificationRef, NotificationRef];
  const place = async (name: WaitingPlace): Promise<WaitingFigures> =>
    (await notificationFigures(fixture.domain)).find((row) => row.place === name) as WaitingFigures;
  const before = { first: await place('first'), host: await place('host'), pause: await place('pause') };
  expect(before.first.count).toBeGreaterThanOrEqual(3);
  expect([before.host, before.pause]).toMatchObject([
    { count: 0, oldestMs: 0 },
    { count: 0, oldestMs: 0 },
  ]);
  await parkAtHost(fixture.domain, one);
  await pauseNotifications(fixture.domain, merchantId, true);
  await claimNotification(fixture.domain, two);
  await fixture.domain.database.pool.query(
    `update notification set next_attempt_at = next_attempt_at - interval '1 hour' where held_by is not null`,
  );
  expect((await place('first')).count).toBe(before.first.count - 2);
  for (const name of ['host', 'pause'] as const) {
    const { count, oldestMs } = await place(name);
    expect(count).toBe(1);
    expect(oldestMs).toBeGreaterThan(3_600_000);
  }
  await pauseNotifications(fixture.domain, merchantId, false);
  await recordAttempt(fixture.domain, (await claimNotification(fixture.domain, three)) as NotificationClaim, failure);
});
