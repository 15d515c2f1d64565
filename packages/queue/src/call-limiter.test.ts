import { type CallContext, type CallLimiter, type CallTurns, inCallContext } from '@tidegate/domain/channels';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import { silent } from '../test/test-listener.ts';
import { openCallLimiter } from './call-limiter.ts';
import { connectRedis, type RedisConnection } from './connection.ts';

let server: OwnRedis;
let connections: RedisConnection[];
let limiters: (CallLimiter & CallTurns)[];
beforeAll(async () => {
  server = await startOwnRedis();
  connections = [1, 2].map(() => connectRedis(server.url, 'commands', silent));
  limiters = connections.map((connection) => openCallLimiter(connection));
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

/** Makes calls of these owners in the given process, and notes in which order they passed. */
function calls(
  passed: string[],
  nth: number,
  account: string,
  context: CallContext,
  count: number,
): Promise<unknown>[] {
  return Array.from({ length: count }, () =>
    inCallContext(context, async () => {
      if (await take(nth, account, 25, 1)) passed.push(`${context.owner} ${context.priority}`);
    }),
  );
}

test('a merchant with many calls in both processes delays another one by a turn in each, and payouts overtake', async () => {
  const passed: string[] = [];
  const greedy = { owner: 'greedy', priority: 'create' } as const;
  const busy = [0, 1].flatMap((nth) => calls(passed, nth, 'mixed', greedy, 15));
  await expect.poll(() => passed.length).toBeGreaterThanOrEqual(4);
  const before = passed.length;
  const quiet = calls(passed, 0, 'mixed', { owner: 'quiet', priority: 'create' }, 1);
  const payouts = calls(passed, 1, 'mixed', { owner: 'third', priority: 'payout' }, 2);
  await Promise.all([...quiet, ...payouts]);
  const since = passed.slice(before);
  // A call that was claimed before does not count.
  expect(since.lastIndexOf('third payout')).toBeLessThanOrEqual(4);
  expect(since.indexOf('quiet create')).toBeLessThanOrEqual(7);
  await Promise.all(busy);
  expect(passed.filter((one) => one === 'greedy create')).toHaveLength(30);
});

test('a process with nine waiting merchants gets most of the calls, next to a process with one merchant', async () => {
  const passed: string[] = [];
  const one = calls(passed, 0, 'weighed', { owner: 'alone', priority: 'create' }, 40);
  const nine = Array.from({ length: 9 }, (_, nth) => nth).flatMap((nth) =>
    calls(passed, 1, 'weighed', { owner: `one of nine ${nth}`, priority: 'create' }, 4),
  );
  await Promise.all(nine);
  const alone = passed.filter((name) => name.startsWith('alone')).length;
  // 36 calls of nine merchants: four turns for each, so about four for the one as well. If processes took turns, it would
  // be 36. A machine that pauses for longer than a place is kept lets them begin again.
  expect(alone).toBeLessThanOrEqual(18);
  expect(alone).toBeGreaterThanOrEqual(1);
  await Promise.allSettled(one);
});

test('a turn from before the call is used by the first call to its account', async () => {
  const limited = { account: 'ahead', rate: { perSecond: 0.01, burst: 1 } };
  const asking = { owner: 'm', priority: 'create', maxWaitMs: 1_000 } as const;
  const taken = await limiters[0]?.turn(limited, asking);
  if (!taken?.ok) throw new Error('no turn');
  const context = { owner: 'm', priority: 'poll', turn: { account: 'ahead', turn: taken.turn } } as const;
  const call = (account: string, maxWaitMs: number) =>
    inCallContext(context, () => limiters[0]?.take(account, { ...limited.rate, maxWaitMs }, long()));
  expect(await call('ahead', 100)).toBe(true);
  expect(await call('ahead', 100)).toBe(false);
});

const farAway = '99999999999999999';
test.each<[string, (tag: string) => Promise<unknown>]>([
  ['a next call in the far future', (tag) => connections[0]?.set(tag, farAway) as Promise<unknown>],
  ['a next call that never comes', (tag) => connections[0]?.set(tag, 'inf') as Promise<unknown>],
  ['a next call that is no number', (tag) => connections[0]?.set(tag, 'nan') as Promise<unknown>],
  ['a list in the place of the next call', (tag) => connections[0]?.rpush(tag, 'x') as Promise<unknown>],
  ['a process that has used nothing for ever', (tag) => waiting(tag, `-1e300 0 1 ${farAway}`)],
  ['a process with an endless head start', (tag) => waiting(tag, `0 1e300 1 ${farAway}`)],
  ['a process with all owners', (tag) => waiting(tag, `0 0 1e300 ${farAway}`)],
  ['a process that is no process', (tag) => waiting(tag, 'x')],
  ['numbers that are none', (tag) => waiting(tag, 'nan nan nan nan')],
  ['a text in the place of the processes', (tag) => connections[0]?.set(`${tag}:waiting`, 'x') as Promise<unknown>],
])('what Redis has in the place of a rate neither stops an account nor frees it: %s', async (what, poison) => {
  const account = `poisoned ${what}`;
  await poison(`tidegate:{calls:${account}}`);
  const began = performance.now();
  const accepted = await Promise.all(Array.from({ length: 6 }, (_, nth) => take(nth, account, 20, 2)));
  expect(accepted).toEqual(Array(6).fill(true));
  // Two at once, then four more at twenty a second.
  expect(performance.now() - began).toBeGreaterThanOrEqual(150);
});

function waiting(tag: string, value: string): Promise<unknown> {
  return connections[0]?.hset(`${tag}:waiting`, 'eve', value) as Promise<unknown>;
}
