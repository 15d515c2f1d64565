import type { CallLimiter } from '@tidegate/domain/channels';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import { silent } from '../test/test-listener.ts';
import { openCallLimiter } from './call-limiter.ts';
import { connectRedis, type RedisConnection } from './connection.ts';

let server: OwnRedis;
let connections: RedisConnection[];
let limiters: CallLimiter[];
beforeAll(async () => {
  server = await startOwnRedis();
  connections = [1, 2].map(() => connectRedis(server.url, 'commands', silent));
  limiters = connections.map(openCallLimiter);
  for (const connection of connections) await vi.waitFor(() => connection.ping(), { timeout: 10_000 });
});
afterAll(async () => {
  for (const connection of connections) connection.disconnect();
  await server.remove();
});

const long = (): AbortSignal => AbortSignal.timeout(10_000);
const take = (nth: number, account: string, perSecond: number, burst: number, signal = long()) =>
  limiters[nth % 2]?.take(account, { perSecond, burst }, signal);

test('two processes together make no more calls than the burst and the rate allow', async () => {
  const began = performance.now();
  const accepted = await Promise.all(Array.from({ length: 12 }, (_, nth) => take(nth, 'shared', 20, 4)));
  expect(accepted).toEqual(Array(12).fill(true));
  // Four at once, then eight more at twenty a second.
  expect(performance.now() - began).toBeGreaterThanOrEqual(390);
});

test('calls pass in the order in which they came', async () => {
  const passed: number[] = [];
  const calls = Array.from({ length: 8 }, async (_, nth) => {
    await take(0, 'fair', 25, 1);
    passed.push(nth);
  });
  await Promise.all(calls);
  expect(passed).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('different accounts do not share a limit', async () => {
  for (const account of ['a', 'b', 'c']) expect(await take(0, account, 0.01, 1)).toBe(true);
});

test('a call that would have to wait longer than its time limit is not made', async () => {
  expect(await take(0, 'slow', 0.01, 1)).toBe(true);
  expect(await take(1, 'slow', 0.01, 1, AbortSignal.timeout(50))).toBe(false);
  expect(await take(0, 'other', 1, 1, AbortSignal.abort())).toBe(false);
});

test('calls that would wait too long are refused at once, and do not delay other calls', async () => {
  const rate = { perSecond: 10, burst: 1, maxWaitMs: 250 };
  const began = performance.now();
  const accepted = await Promise.all(Array.from({ length: 20 }, () => limiters[0]?.take('busy', rate, long())));
  expect(accepted.filter(Boolean).length).toBeLessThan(8);
  expect(performance.now() - began).toBeLessThan(1_500);
  expect(await limiters[0]?.take('busy', rate, long())).toBe(true);
});

test('without Redis calls are allowed', async () => {
  const unavailable = connectRedis('redis://127.0.0.1:1', 'commands', silent);
  expect(await openCallLimiter(unavailable).take('x', { perSecond: 0.01, burst: 1 }, long())).toBe(true);
  unavailable.disconnect();
});
