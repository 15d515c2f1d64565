import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dueWork } from '../orders/due-work.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aBacklogOf, aNotification, factsOf } from '../testing/notifications.ts';
import {
  type AttemptResult,
  claimNextInLine,
  claimNotification,
  type NotificationClaim,
  type NotificationRef,
  recordAttempt,
  waitInLine,
} from './deliver-notification.ts';
import { notificationFigures, type WaitingFigures, type WaitingPlace } from './figures/notification-figures.ts';
import { firstInLines, pauseLine, releaseResumed, waitingLines } from './host-backlog.ts';
import { pauseNotifications } from './pause-notifications.ts';

let ground: TestDomain;
let merchantId: string;
let hosts = 0;
let host: string;
beforeAll(async () => {
  ground = await openTestDomain((await createTestDatabase()).url);
  merchantId = (await aMerchant(ground.domain, 'CN')).merchantId;
});
afterAll(() => ground.close());

const failure: AttemptResult = {
  ...{ startedAt: Date.now(), durationMs: 12, address: null, httpStatus: 500, reply: 'no', error: 'status' },
  acknowledged: false,
};

/** Notifications to a host that nothing else goes to. */
async function toOneHost(count: number): Promise<NotificationRef[]> {
  host = `host-${++hosts}.test:443`;
  const refs: NotificationRef[] = [];
  for (let i = 0; i < count; i++)
    refs.push(await aNotification(ground.domain, merchantId, `https://host-${hosts}.test/n`));
  return refs;
}

const isDue = async ({ orderNo }: NotificationRef): Promise<boolean> =>
  (await dueWork(ground.domain, 2_000)).some((work) => work.orderNo === orderNo);
const next = (firstOnly = false) => claimNextInLine(ground.domain, { host, merchantId, firstOnly });
const orderNoOf = (claim: NotificationClaim | 'paused' | null) => (claim && claim !== 'paused' ? claim.orderNo : claim);
const makeDue = (ref: NotificationRef) =>
  ground.domain.database.pool.query('update notification set next_attempt_at = clock_timestamp() where order_no = $1', [
    ref.orderNo,
  ]);
const lines = async () =>
  (await waitingLines(ground.domain, { after: { host: '', merchantId: '' }, limit: 1_000 })).filter(
    (line) => line.host === host,
  );

test('one that waits in line is off the schedule, uses up no attempt, and is taken in its turn', async () => {
  const [first, second] = (await toOneHost(2)) as [NotificationRef, NotificationRef];
  expect(await waitInLine(ground.domain, second)).toBe(true);
  expect(await waitInLine(ground.domain, first)).toBe(true);
  expect(await waitInLine(ground.domain, first)).toBe(false);
  expect(await factsOf(ground.domain, first)).toMatchObject({ state: 'pending', attempt: 0, heldBy: 'host' });
  expect([await isDue(first), await isDue(second)]).toEqual([false, false]);
  expect(await lines()).toEqual([{ host, merchantId }]);
  const works = await firstInLines(ground.domain, [{ host, merchantId, count: 8 }]);
  expect(works.map((work) => work.orderNo)).toEqual([first.orderNo, second.orderNo]);
  expect(works[0]).toEqual({ queue: 'notify', ...first, host, dueAt: expect.any(Number) });
  expect(await next()).toMatchObject({ ...first, host, attempt: 1 });
  expect(orderNoOf(await claimNotification(ground.domain, second))).toBe(second.orderNo);
  expect(await next()).toBeNull();
  expect(await lines()).toEqual([]);
  expect(await factsOf(ground.domain, first)).toMatchObject({ attempt: 1, heldBy: null });
});

test('what is not due, or claimed, cannot wait in line', async () => {
  const [ref] = (await toOneHost(1)) as [NotificationRef];
  const claim = await claimNotification(ground.domain, ref);
  expect(await waitInLine(ground.domain, ref)).toBe(false);
  await recordAttempt(ground.domain, claim as NotificationClaim, failure);
  expect(await waitInLine(ground.domain, ref)).toBe(false);
});

test('in line first attempts stand before retries, and as retries they are their own work', async () => {
  const [tried, fresh] = (await toOneHost(2)) as [NotificationRef, NotificationRef];
  await recordAttempt(ground.domain, (await claimNotification(ground.domain, tried)) as NotificationClaim, failure);
  await makeDue(tried);
  const due = (await dueWork(ground.domain, 2_000)).filter((work) => 'host' in work && work.host === host);
  expect(due.map(({ queue, orderNo }) => [queue, orderNo])).toEqual([
    ['notify', fresh.orderNo],
    ['retry', tried.orderNo],
  ]);
  await Promise.all([waitInLine(ground.domain, tried), waitInLine(ground.domain, fresh)]);
  await ground.domain.database.pool.query(
    `update notification set next_attempt_at = next_attempt_at - interval '1 hour' where order_no = $1`,
    [tried.orderNo],
  );
  const works = await firstInLines(ground.domain, [{ host, merchantId, count: 8 }]);
  expect(works.map(({ queue, orderNo }) => [queue, orderNo])).toEqual([
    ['notify', fresh.orderNo],
    ['retry', tried.orderNo],
  ]);
  expect(orderNoOf(await next())).toBe(fresh.orderNo);
  expect(await next(true)).toBeNull();
  expect(orderNoOf(await next())).toBe(tried.orderNo);
});

test('a line’s next ones go to as many as ask at once, each to one', async () => {
  const refs = await toOneHost(6);
  await Promise.all(refs.map((ref) => waitInLine(ground.domain, ref)));
  const claims = await Promise.all(Array.from({ length: 9 }, () => next()));
  const taken = claims.map(orderNoOf).filter((orderNo) => orderNo !== null);
  expect(taken.sort()).toEqual(refs.map((ref) => ref.orderNo).sort());
});

test('lines are found one after the other, those of one host too', async () => {
  const other = (await aMerchant(ground.domain, 'CN')).merchantId;
  const [ref] = (await toOneHost(1)) as [NotificationRef];
  const theirs = await aNotification(ground.domain, other, `https://${host}/n`);
  await Promise.all([waitInLine(ground.domain, ref), waitInLine(ground.domain, theirs)]);
  const both = [merchantId, other].sort().map((id) => ({ host, merchantId: id }));
  const some = { after: { host: '', merchantId: '' }, ofHost: host };
  expect(await waitingLines(ground.domain, { ...some, limit: 10 })).toEqual(both);
  expect(await waitingLines(ground.domain, { ...some, limit: 1 })).toEqual(both.slice(0, 1));
  expect(await waitingLines(ground.domain, { ...some, after: both[0] ?? some.after, limit: 10 })).toEqual(
    both.slice(1),
  );
  for (const line of both) await claimNextInLine(ground.domain, { ...line, firstOnly: true });
});

test('a pause keeps what comes due, and its end lets it go, the longest due first', async () => {
  const refs = await toOneHost(3);
  const [first, second, third] = refs as [NotificationRef, NotificationRef, NotificationRef];
  expect(await pauseNotifications(ground.domain, merchantId, true)).toBe(true);
  expect(await pauseNotifications(ground.domain, merchantId, true)).toBe(false);
  await waitInLine(ground.domain, third);
  expect(await claimNotification(ground.domain, second)).toBe('paused');
  expect(await claimNotification(ground.domain, first)).toBe('paused');
  expect(await claimNotification(ground.domain, first)).toBeNull();
  expect(await pauseLine(ground.domain, { host, merchantId })).toBe(1);
  for (const ref of refs) {
    expect(await factsOf(ground.domain, ref)).toMatchObject({ state: 'pending', attempt: 0, heldBy: 'pause' });
    expect(await isDue(ref)).toBe(false);
  }
  expect(await releaseResumed(ground.domain, 100)).toBe(0);
  await pauseNotifications(ground.domain, merchantId, false);
  expect(await releaseResumed(ground.domain, 2)).toBe(2);
  expect([orderNoOf(await next()), orderNoOf(await next()), await next()]).toEqual([
    first.orderNo,
    second.orderNo,
    null,
  ]);
  expect(await releaseResumed(ground.domain, 2)).toBe(1);
  expect(orderNoOf(await next())).toBe(third.orderNo);
  expect(await pauseLine(ground.domain, { host, merchantId })).toBe(0);
});

test('an attempt that runs when the pause begins ends as it would', async () => {
  const [ref] = (await toOneHost(1)) as [NotificationRef];
  const claim = (await claimNotification(ground.domain, ref)) as NotificationClaim;
  await pauseNotifications(ground.domain, merchantId, true);
  expect(await recordAttempt(ground.domain, claim, { ...failure, acknowledged: true })).toBe('delivered');
  await pauseNotifications(ground.domain, merchantId, false);
});

test('the figures tell where notifications wait, and for how long', async () => {
  const [one, two, three] = (await toOneHost(3)) as [NotificationRef, NotificationRef, NotificationRef];
  const place = async (name: WaitingPlace): Promise<WaitingFigures> =>
    (await notificationFigures(ground.domain)).find((row) => row.place === name) as WaitingFigures;
  const before = { first: await place('first'), host: await place('host'), pause: await place('pause') };
  expect(before.first.count).toBeGreaterThanOrEqual(3);
  expect([before.host, before.pause]).toMatchObject([
    { count: 0, oldestMs: 0 },
    { count: 0, oldestMs: 0 },
  ]);
  await waitInLine(ground.domain, one);
  await pauseNotifications(ground.domain, merchantId, true);
  await claimNotification(ground.domain, two);
  await ground.domain.database.pool.query(
    `update notification set next_attempt_at = next_attempt_at - interval '1 hour' where held_by is not null`,
  );
  expect((await place('first')).count).toBe(before.first.count - 2);
  for (const name of ['host', 'pause'] as const) {
    const { count, oldestMs } = await place(name);
    expect(count).toBe(1);
    expect(oldestMs).toBeGreaterThan(3_600_000);
  }
  await pauseNotifications(ground.domain, merchantId, false);
  await recordAttempt(ground.domain, (await claimNotification(ground.domain, three)) as NotificationClaim, failure);
});

test('100,000 paused ones, and as many in one line, cost the dispatcher nothing', { timeout: 120_000 }, async () => {
  const [paused, inLine] = (await toOneHost(2)) as [NotificationRef, NotificationRef];
  await waitInLine(ground.domain, inLine);
  await pauseNotifications(ground.domain, merchantId, true);
  await claimNotification(ground.domain, paused);
  await aBacklogOf(ground.domain, paused, 100_000);
  await aBacklogOf(ground.domain, inLine, 100_000);
  const other = (await aMerchant(ground.domain, 'CN')).merchantId;
  const urgent = await aNotification(ground.domain, other);
  const took: Record<string, number> = {};
  const timed = async <T>(what: string, ask: () => Promise<T>): Promise<T> => {
    await ask();
    const began = performance.now();
    const answer = await ask();
    took[what] = performance.now() - began;
    return answer;
  };
  const due = await timed('due work', () => dueWork(ground.domain, 2_000));
  expect(due.map((work) => work.orderNo)).toContain(urgent.orderNo);
  expect(due.filter((work) => 'host' in work && work.host === host)).toEqual([]);
  expect(await timed('lines', () => lines())).toEqual([{ host, merchantId }]);
  expect(
    await timed('the first of a line', () => firstInLines(ground.domain, [{ host, merchantId, count: 8 }])),
  ).toHaveLength(8);
  expect(await timed('nothing to release', () => releaseResumed(ground.domain, 2_000))).toBe(0);
  console.log(
    Object.entries(took)
      .map(([what, ms]) => `${what}: ${ms.toFixed(1)} ms`)
      .join(', '),
  );
  // A look at each of the 200,000 would take some ten times as long.
  for (const [what, ms] of Object.entries(took)) expect(ms, what).toBeLessThan(30);
});
