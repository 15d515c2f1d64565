import { factsOf } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type NotificationGround, openNotificationGround } from '../test/notification-ground.ts';

// First attempts and retries are queues of their own, for workers of their own.

let ground: NotificationGround;
beforeAll(async () => {
  ground = await openNotificationGround({ scale: 0.001 });
});
afterAll(() => ground.close());

test('a worker of first attempts leaves retries to one of retries', { timeout: 90_000 }, async () => {
  await ground.startWorker(['--queues', 'notify,dispatch']);
  let works = false;
  const endpoint = await ground.serve((_, response) => void response.writeHead(works ? 200 : 503).end('OK'));
  const merchant = await ground.aMerchant();
  const failing = await ground.burst(merchant, endpoint.url, 5);
  const facts = () => Promise.all(failing.map((ref) => factsOf(ground.domain, ref)));
  const isTriedOnceAndDue = ({ attempts, wait }: { attempts: number; wait: number | null }): boolean =>
    attempts === 1 && (wait ?? 1) <= 0;
  await vi.waitFor(async () => expect((await facts()).every(isTriedOnceAndDue)).toBe(true), {
    timeout: 20_000,
    interval: 50,
  });
  works = true;
  // They are due, and so are these: nobody but a worker of retries takes them.
  const fresh = await ground.burst(merchant, endpoint.url, 20);
  await ground.latencies(fresh, 20_000);
  expect((await facts()).every(isTriedOnceAndDue)).toBe(true);
  await ground.startWorker(['--queues', 'retry']);
  await ground.latencies(failing, 20_000);
  for (const { attempt, state } of await facts())
    expect({ attempt, state }).toEqual({ attempt: 2, state: 'delivered' });
});
