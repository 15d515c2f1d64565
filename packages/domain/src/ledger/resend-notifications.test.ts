import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { notificationWaits } from '../core/schedule.ts';
import {
  type AttemptResult,
  claimNextParked,
  claimNotification,
  type NotificationClaim,
  type NotificationRef,
  recordAttempt,
} from '../notifications/deliver-notification.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aBacklogOf, aNotification, factsOf, failure } from '../testing/notifications.ts';
import { by } from '../testing/payouts.ts';
import { type ResendRange, resendNotification, resendNotifications } from './resend-notifications.ts';

let fixture: TestDomain;
let merchantId: string;
let keys = 0;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  merchantId = (await aMerchant(fixture.domain, 'CN')).merchantId;
});

const success: AttemptResult = { ...failure, httpStatus: 200, reply: 'OK', error: null, acknowledged: true };

const aRequest = (requestKey = `R-${++keys}`) => ({ merchantId, requestKey });
const resend = (ref: NotificationRef, requestKey?: string) =>
  resendNotification(fixture.domain, aRequest(requestKey), { orderNo: ref.orderNo, status: ref.status }, by('alice'));
const resendRange = (range: Partial<ResendRange> = {}, requestKey?: string) =>
  resendNotifications(
    fixture.domain,
    aRequest(requestKey),
    {
      from: Date.now() - 3_600_000,
      to: Date.now() + 3_600_000,
      states: ['delivered', 'exhausted', 'pending'],
      ...range,
    },
    by('alice'),
  );
const done = (matched: number, resent: number, repeated = false) => ({
  ok: true,
  value: { matched, resent, repeated },
});

async function claim(ref: NotificationRef): Promise<NotificationClaim> {
  const claimed = await claimNotification(fixture.domain, ref);
  if (!claimed || claimed === 'paused') throw new Error('nothing to claim');
  return claimed;
}

async function tried(result: AttemptResult, ref?: NotificationRef): Promise<NotificationRef> {
  const one = ref ?? (await aNotification(fixture.domain, merchantId));
  await recordAttempt(fixture.domain, await claim(one), result);
  return one;
}

test('a delivered notification is sent again unchanged, and waits for a slot at its host', async () => {
  const ref = await tried(success);
  const before = await factsOf(fixture.domain, ref);
  expect(before).toMatchObject({ state: 'delivered', attempt: 1 });
  expect(await resend(ref)).toEqual(done(1, 1));
  const facts = await factsOf(fixture.domain, ref);
  expect(facts).toMatchObject({ state: 'pending', attempt: 1, earlierAttempts: 1, heldBy: 'host', delivered: false });
  expect(facts.body).toBe(before.body);
  const again = await claimNextParked(fixture.domain, { host: 'shop.test:443', merchantId, firstOnly: false });
  expect(again).toMatchObject({ ...ref, attempt: 2, earlierAttempts: 1, body: before.body });
  expect(await recordAttempt(fixture.domain, again as NotificationClaim, success)).toBe('delivered');
  expect(await factsOf(fixture.domain, ref)).toMatchObject({
    state: 'delivered',
    attempt: 2,
    attempts: 2,
    delivered: true,
  });
});

test('a resend begins the whole schedule again, and its attempts continue the numbers of earlier attempts', async () => {
  const ref = await tried(failure);
  await resend(ref);
  const makeDue = () =>
    fixture.domain.database.pool.query(
      'update notification set next_attempt_at = clock_timestamp() where order_no = $1',
      [ref.orderNo],
    );
  for (const [i, wait] of notificationWaits.entries()) {
    await makeDue();
    const claimed = await claim(ref);
    expect(claimed).toMatchObject({ attempt: i + 2, earlierAttempts: 1 });
    expect(await recordAttempt(fixture.domain, claimed, failure)).toBe('retry');
    const { wait: next } = await factsOf(fixture.domain, ref);
    expect(next).toBeGreaterThan(wait * 0.9 - 2_000);
    expect(next).toBeLessThanOrEqual(wait * 1.1);
  }
  await makeDue();
  expect(await recordAttempt(fixture.domain, await claim(ref), failure)).toBe('exhausted');
  expect(await factsOf(fixture.domain, ref)).toMatchObject({ state: 'exhausted', attempt: 17, attempts: 17 });
  expect(await resend(ref)).toEqual(done(1, 1));
});

test('the same request again resends nothing, and returns the first result', async () => {
  const ref = await tried(success);
  expect(await resend(ref, 'same')).toEqual(done(1, 1));
  await recordAttempt(fixture.domain, await claim(ref), success);
  expect(await resend(ref, 'same')).toEqual(done(1, 1, true));
  expect(await factsOf(fixture.domain, ref)).toMatchObject({ state: 'delivered', attempt: 2 });
  const other = await tried(success);
  expect(await resend(other, 'same')).toEqual({ ok: false, rejection: 'request_key_taken' });
  expect(await factsOf(fixture.domain, other)).toMatchObject({ state: 'delivered', attempt: 1 });
});

test('a resend is in the audit records of the merchant, and a refused resend is not', async () => {
  const ref = await tried(success);
  const { orderNo, status } = ref;
  const [from, to] = [Date.now() - 60_000, Date.now() + 60_000];
  expect(await resend(ref, 'one')).toEqual(done(1, 1));
  expect(await resendRange({ from, to, states: ['pending'] }, 'range')).toEqual(done(1, 0));
  expect(await resend({ ...ref, status: 'failed' }, 'none')).toMatchObject({ rejection: 'notification_not_found' });
  const records = await fixture.domain.database.pool.query(
    'select actor, reason, action, subject, detail::json as detail from audit_record where merchant_id = $1 order by audit_no',
    [merchantId],
  );
  const { actor, reason } = by('alice');
  const record = (action: string, subject: string, after: object) => ({
    actor,
    reason,
    action,
    subject,
    detail: { merchantId, change: action, subject, after },
  });
  const once = { matched: 1, repeated: false };
  expect(records.rows.slice(-2)).toEqual([
    record('resendNotification', orderNo, { status, requestKey: 'one', ...once, resent: 1 }),
    record('resendNotifications', 'range', { from, to, states: ['pending'], ...once, resent: 0 }),
  ]);
});

test('of several concurrent requests one resends the notification', async () => {
  const ref = await tried(success);
  const results = await Promise.all(Array.from({ length: 6 }, () => resend(ref)));
  expect(results.map((result) => (result.ok ? result.value.resent : -1)).sort()).toEqual([0, 0, 0, 0, 0, 1]);
  expect(await factsOf(fixture.domain, ref)).toMatchObject({ attempt: 1, earlierAttempts: 1 });
});

test('concurrent repetitions of a request resend it once', async () => {
  const ref = await tried(success);
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => resend(ref, 'racing')));
  const resent = results.flatMap((r) =>
    r.status === 'fulfilled' && r.value.ok && !r.value.value.repeated ? [r.value.value.resent] : [],
  );
  expect(resent.reduce((sum, n) => sum + n, 0)).toBe(1);
  expect(await factsOf(fixture.domain, ref)).toMatchObject({ attempt: 1, earlierAttempts: 1 });
});

test('notifications that are being sent are matched but not resent', async () => {
  const fresh = await aNotification(fixture.domain, merchantId);
  expect(await resend(fresh)).toEqual(done(1, 0));
  const running = await claim(fresh);
  expect(await resend(fresh)).toEqual(done(1, 0));
  await recordAttempt(fixture.domain, running, failure);
  expect(await resend(fresh)).toEqual(done(1, 1));
});

test('a late result of an earlier round is only logged', async () => {
  const ref = await aNotification(fixture.domain, merchantId);
  const late = await claim(ref);
  await fixture.domain.database.pool.query(
    'update notification set next_attempt_at = clock_timestamp() where order_no = $1',
    [ref.orderNo],
  );
  await tried(success, ref);
  await resend(ref);
  await recordAttempt(fixture.domain, late, success);
  expect(await factsOf(fixture.domain, ref)).toMatchObject({ state: 'pending', heldBy: 'host', attempts: 2 });
});

test('a resend by time range includes its begin, excludes its end, and selects the requested states', async () => {
  const delivered = await tried(success);
  const failing = await tried(failure);
  const at = async ({ orderNo }: NotificationRef, ms: number): Promise<void> =>
    void (await fixture.domain.database.pool.query(
      'update notification set created_at = to_timestamp($2::float8 / 1000) where order_no = $1',
      [orderNo, ms],
    ));
  const noon = Date.UTC(2026, 10, 21, 12);
  await at(delivered, noon);
  await at(failing, noon + 1_000);
  expect(await resendRange({ from: noon - 10_000, to: noon })).toEqual({
    ok: false,
    rejection: 'notification_not_found',
  });
  expect(await resendRange({ from: noon, to: noon + 2_000, states: ['exhausted'] })).toMatchObject({ ok: false });
  expect(await resendRange({ from: noon, to: noon + 1_000 }, 'range')).toEqual(done(1, 1));
  expect(await resendRange({ from: noon, to: noon + 1_000 }, 'range')).toEqual(done(1, 1, true));
  expect(await factsOf(fixture.domain, failing)).toMatchObject({ earlierAttempts: 0 });
  expect(await resendRange({ from: noon, to: noon + 2_000 })).toEqual(done(2, 1));
  const otherMerchant = await aMerchant(fixture.domain, 'CN');
  merchantId = otherMerchant.merchantId;
  expect(await resendRange({ from: noon, to: noon + 2_000 })).toMatchObject({ rejection: 'notification_not_found' });
});

test.each([
  ['empty', 0],
  ['reversed', -1],
  ['longer than 31 days', 31 * 24 * 3_600_000 + 1],
])('a time range that is %s is refused', async (_name, length) => {
  await tried(success);
  const from = Date.now() - 60_000;
  expect(await resendRange({ from, to: from + length })).toEqual({ ok: false, rejection: 'time_range_wrong' });
});

test('10,000 notifications are resent at once, and of 10,001 none', { timeout: 120_000 }, async () => {
  const ref = await aNotification(fixture.domain, merchantId);
  await aBacklogOf(fixture.domain, ref, 9_999);
  await fixture.domain.database.pool.query(
    `update notification set state = 'exhausted', attempt = 16, next_attempt_at = null where merchant_id = $1`,
    [merchantId],
  );
  const began = performance.now();
  expect(await resendRange()).toEqual(done(10_000, 10_000));
  console.log(`10,000 resent in ${(performance.now() - began).toFixed(0)} ms`);
  const { merchantId: _, ...key } = ref;
  await fixture.domain.database.pool.query(
    `insert into notification (merchant_id, order_no, status, url, body, state, attempt, created_at)
     select merchant_id, order_no, 'one more', url, body, 'exhausted', 16, created_at from notification
     where merchant_id = $1 and order_no = $2 and status = $3`,
    [merchantId, key.orderNo, key.status],
  );
  expect(await resendRange()).toEqual({ ok: false, rejection: 'too_many_notifications' });
  expect(await resendRange({ states: ['exhausted'] })).toEqual(done(1, 1));
});
