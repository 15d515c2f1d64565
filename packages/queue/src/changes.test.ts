import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import {
  announcer,
  closeAfterTest,
  closeAll,
  completedOrder,
  openTestListener,
  silent,
  untilReceived,
} from '../test/test-listener.ts';
import { connectRedis } from './connection.ts';

/** One Redis for the file. Each test uses another database number, whose changes are separate. */
let redis: OwnRedis;
beforeAll(async () => {
  redis = await startOwnRedis();
});
afterEach(closeAll);
afterAll(() => redis.remove());

const database = (number: number): string => Object.assign(new URL(redis.url), { pathname: `/${number}` }).href;
let used = 1;
const nextDatabase = (): string => database(used++);

test('commits of one process are received by all listeners, in order', async () => {
  const url = nextDatabase();
  const listeners = [await openTestListener(url), await openTestListener(url)];
  const one = announcer(url);
  await untilReceived(one, listeners, 'FIRST');
  const numbers = Array.from({ length: 1_200 }, (_, n) => `PI${n}`);
  one.announce(numbers.slice(0, 1).map(completedOrder));
  one.announce(numbers.slice(1).map(completedOrder));
  for (const { received } of listeners)
    await vi.waitFor(() => expect(received.filter((no) => no.startsWith('PI'))).toEqual(numbers), { timeout: 10_000 });
  expect(listeners.map(({ lost }) => lost)).toEqual([0, 0]);
});

test('the first message of a process is received, although its connection is not ready yet', async () => {
  const url = nextDatabase();
  const listener = await openTestListener(url);
  announcer(url).announce([completedOrder('PI1')]);
  await vi.waitFor(() => expect(listener.received).toEqual(['PI1']), 5_000);
});

test('changes of another database on the same Redis are not received', async () => {
  const [one, other] = [nextDatabase(), nextDatabase()];
  const [here, there] = [await openTestListener(one), await openTestListener(other)];
  await untilReceived(announcer(one), [here], 'HERE');
  await untilReceived(announcer(other), [there], 'THERE');
  expect(there.received.some((one) => one.startsWith('HERE'))).toBe(false);
});

test('while Redis is unavailable callers do not wait and lost messages are noticed; afterwards messages are received again', {
  timeout: 60_000,
}, async () => {
  const url = nextDatabase();
  const here = await openTestListener(url, 300);
  const one = announcer(url);
  await untilReceived(one, [here], 'BEFORE');
  await redis.stop();
  const began = performance.now();
  for (let n = 0; n < 1_000; n += 1) one.announce([completedOrder(`GONE-${n}`)]);
  expect(performance.now() - began).toBeLessThan(2_000);
  await vi.waitFor(() => expect([here.isListening(), here.lost]).toEqual([false, 1]), { timeout: 15_000 });
  await redis.startAgain();
  await vi.waitFor(() => expect(here.isListening()).toBe(true), { timeout: 15_000 });
  await untilReceived(one, [here], 'AFTER');
  expect(here.received.some((no) => no.startsWith('GONE'))).toBe(false);
});

test('messages during a short break of the connection are noticed as missing', async () => {
  const url = nextDatabase();
  const here = await openTestListener(url);
  const one = announcer(url);
  await untilReceived(one, [here], 'BEFORE');
  const admin = connectRedis(url, 'worker', silent);
  closeAfterTest(() => admin.disconnect());
  await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  // The sender does not know that no listener receives the message.
  one.announce([completedOrder('LOST')]);
  await vi.waitFor(() => expect(here.received.includes('LOST') || here.lost > 0).toBe(true), { timeout: 10_000 });
  expect(here.received).not.toContain('LOST');
});

test('messages above the limit are dropped, and noticed as missing', async () => {
  const url = nextDatabase();
  const here = await openTestListener(url);
  const one = announcer(url);
  await untilReceived(one, [here], 'BEFORE');
  one.announce(Array.from({ length: 10_100 }, (_, n) => completedOrder(`MANY-${n}`)));
  await vi.waitFor(() => expect(here.lost).toBe(1), { timeout: 10_000 });
  const many = () => here.received.filter((no) => no.startsWith('MANY')).length;
  await vi.waitFor(() => expect(many()).toBeGreaterThan(9_900), { timeout: 10_000 });
  expect(many()).toBeLessThanOrEqual(10_000);
});

test('messages that were dropped before the first received message are noticed as missing', async () => {
  const url = nextDatabase();
  const here = await openTestListener(url);
  announcer(url).announce(Array.from({ length: 10_001 }, (_, n) => completedOrder(`MANY-${n}`)));
  await vi.waitFor(() => expect(here.lost).toBe(1), { timeout: 10_000 });
});

test('messages of unknown senders are ignored', async () => {
  const url = nextDatabase();
  const here = await openTestListener(url);
  const admin = connectRedis(url, 'worker', silent);
  closeAfterTest(() => admin.disconnect());
  for (const text of ['', 'null', '{"from":"x"}', '[1]', '{"from":"x","no":1,"changes":"none"}'])
    await admin.publish(`tidegate:changes:${new URL(url).pathname.slice(1)}`, text);
  await untilReceived(announcer(url), [here], 'OURS');
  expect(here.received.every((one) => one.startsWith('OURS'))).toBe(true);
});

test('changes that wait when a process shuts down are published before it ends', async () => {
  const url = nextDatabase();
  const here = await openTestListener(url);
  const one = announcer(url);
  await untilReceived(one, [here], 'BEFORE');
  one.announce([completedOrder('LAST')]);
  await one.close();
  await vi.waitFor(() => expect(here.received).toContain('LAST'), { timeout: 5_000 });
});
