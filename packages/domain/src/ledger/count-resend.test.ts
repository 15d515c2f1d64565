import { createTestDatabase } from '@tidegate/sandbox/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aBacklogOf, aNotification } from '../testing/notifications.ts';
import { by } from '../testing/payouts.ts';
import { countResend, type ResendRange, resendNotifications } from './resend-notifications.ts';

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

const resendRange = (range: ResendRange) =>
  resendNotifications(fixture.domain, { merchantId, requestKey: `R-${++keys}` }, range, by('alice'));

/** Notifications at two hosts, in every state, after no attempt or some, which ended one way or another. */
async function aMixture(): Promise<void> {
  const ref = await aNotification(fixture.domain, merchantId);
  await aBacklogOf(fixture.domain, ref, 24);
  await fixture.domain.database.pool.query(
    `with n as (select *, row_number() over (order by status) as i from notification where merchant_id = $1),
     tried as (
       insert into notification_attempt (merchant_id, order_no, status, attempt, started_at, duration_ms, error)
       select merchant_id, order_no, status, a, clock_timestamp(), 1, case i % 3 when 0 then 'timeout' when 1 then 'status' end
       from n cross join lateral generate_series(1, (i % 4)::integer) a)
     update notification t set attempt = n.i % 4 + case when n.i % 7 = 0 then 1 else 0 end,
       host = case when n.i % 2 = 0 then 'other.test:443' else t.host end,
       state = (array['pending', 'delivered', 'exhausted'])[n.i % 3 + 1],
       next_attempt_at = case when n.i % 3 = 0 then clock_timestamp() end,
       delivered_at = case when n.i % 3 = 1 then clock_timestamp() end
     from n where (n.merchant_id, n.order_no, n.status) = (t.merchant_id, t.order_no, t.status)`,
    [merchantId],
  );
}

test('the count before a resend equals the number that the resend sends, for every selection', async () => {
  const part = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const selections = fc.record({
    states: fc.subarray(['pending', 'delivered', 'exhausted'] as const, { minLength: 1 }),
    host: part('shop.test:443', 'other.test:443', 'nobody.test:80'),
    errors: part(['timeout'], ['status', 'timeout'], ['reset']),
    attemptsFrom: part(0, 1, 3),
    attemptsTo: part(0, 2, 4),
  });
  const every = { host: undefined, errors: undefined, attemptsFrom: undefined, attemptsTo: undefined };
  const sent = new Set<number>();
  await fc.assert(
    fc.asyncProperty(selections, async (selection) => {
      ({ merchantId } = await aMerchant(fixture.domain, 'CN'));
      await aMixture();
      const range = { from: Date.now() - 3_600_000, to: Date.now() + 3_600_000, ...selection };
      const counted = await countResend(fixture.domain, merchantId, range);
      const result = await resendRange(range);
      const { matched, wouldSend } = counted.ok ? counted.value : { matched: -1, wouldSend: -1 };
      if (matched === 0) expect(result).toMatchObject({ rejection: 'notification_not_found' });
      else expect(result).toEqual({ ok: true, value: { matched, resent: wouldSend, repeated: false } });
      sent.add(wouldSend);
      // What was sent waits at its host now, so that nothing more would be sent.
      expect(
        await countResend(fixture.domain, merchantId, { ...range, states: ['delivered', 'exhausted'] }),
      ).toMatchObject({
        value: { wouldSend: selection.states.length === 3 ? 0 : expect.any(Number) },
      });
    }),
    {
      numRuns: 25,
      // These select different numbers, whatever the other selections are.
      examples: [
        [{ ...every, states: ['pending', 'delivered', 'exhausted'] }],
        [{ ...every, states: ['exhausted'] }],
        [{ ...every, states: ['exhausted'], host: 'shop.test:443' }],
        [{ ...every, states: ['delivered', 'exhausted'] }],
      ],
    },
  );
  expect(sent.size).toBeGreaterThan(3);
});

test('beyond 10,000 the count says that none would be sent, and a wrong range is refused like the resend', async () => {
  const ref = await aNotification(fixture.domain, merchantId);
  await aBacklogOf(fixture.domain, ref, 10_000);
  const range = { from: Date.now() - 3_600_000, to: Date.now() + 3_600_000, states: ['pending'] as const };
  expect(await countResend(fixture.domain, merchantId, range)).toEqual({
    ok: true,
    value: { matched: 10_001, wouldSend: 0 },
  });
  const counted = await countResend(fixture.domain, merchantId, { ...range, to: range.from });
  expect(counted).toEqual({ ok: false, rejection: 'time_range_wrong' });
});
