import { factsOf } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NotificationFixture, openNotificationFixture } from '../test/notification-fixture.ts';

// Decisions 7.6 with a real worker, without times. fairness.nightly.test.ts measures times.

let fixture: NotificationFixture;
beforeAll(async () => {
  fixture = await openNotificationFixture({ scale: 1 });
  await fixture.startWorker();
});
afterAll(() => fixture.close());

test('100 notifications to an endpoint that hangs use 8 jobs, and those of another merchant are delivered meanwhile', {
  timeout: 60_000,
}, async () => {
  const quick = await fixture.serve((_, response) => void response.end('OK'));
  const hanging = await fixture.serve(() => undefined);
  const [hung, merchantId] = [await fixture.aMerchant(), await fixture.aMerchant()];
  const waiting = await fixture.burst(hung, hanging.url, 100);
  const began = performance.now();
  for (let round = 0; round < 3; round += 1)
    await fixture.latencies(await fixture.burst(merchantId, quick.url, 100), 60_000);
  expect(quick.seen).toHaveLength(300);
  // Until the first of them time out. Then the next attempt may start before the end of the last is seen.
  if (performance.now() - began < 9_000) expect(hanging.most).toBe(8);
  const facts = await Promise.all(waiting.map((ref) => factsOf(fixture.domain, ref)));
  expect(facts.filter(({ state }) => state === 'delivered')).toEqual([]);
  // All the others wait in the host's backlog, without an attempt.
  expect(facts.filter(({ attempt }) => attempt === 0).length).toBeGreaterThanOrEqual(80);
});
