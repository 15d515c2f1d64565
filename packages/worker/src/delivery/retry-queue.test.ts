import { factsOf } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type NotificationFixture, openNotificationFixture } from '../../test/notification-fixture.ts';

// First attempts and retries have separate queues, and can have separate workers.

let fixture: NotificationFixture;
beforeAll(async () => {
  fixture = await openNotificationFixture({ scale: 0.001 });
});
afterAll(() => fixture.close());

test('a worker for first attempts leaves retries to a worker for retries', { timeout: 90_000 }, async () => {
  await fixture.startWorker(['--queues', 'notify,dispatch']);
  let works = false;
  const endpoint = await fixture.serve((_, response) => void response.writeHead(works ? 200 : 503).end('OK'));
  const merchant = await fixture.aMerchant();
  const failing = await fixture.burst(merchant, endpoint.url, 5);
  const facts = () => Promise.all(failing.map((ref) => factsOf(fixture.domain, ref)));
  const isTriedOnceAndDue = ({ attempts, wait }: { attempts: number; wait: number | null }): boolean =>
    attempts === 1 && (wait ?? 1) <= 0;
  await vi.waitFor(async () => expect((await facts()).every(isTriedOnceAndDue)).toBe(true), {
    timeout: 20_000,
    interval: 50,
  });
  works = true;
  // Both are due, but only a worker for retries takes these.
  const fresh = await fixture.burst(merchant, endpoint.url, 20);
  await fixture.latencies(fresh, 20_000);
  const unchanged = await facts();
  expect(unchanged.filter((one) => !isTriedOnceAndDue(one))).toEqual([]);
  await fixture.startWorker(['--queues', 'retry']);
  await fixture.latencies(failing, 20_000);
  for (const { attempt, state } of await facts())
    expect({ attempt, state }).toEqual({ attempt: 2, state: 'delivered' });
});
