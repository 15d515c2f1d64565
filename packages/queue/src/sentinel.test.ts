import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { afterEach, expect, test, vi } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import { type ScriptedSentinel, startScriptedSentinel } from '../test/scripted-sentinel.ts';
import { connectRedis } from './connection.ts';
import { isOutage } from './is-outage.ts';
import type { RedisRole } from './server-options.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function start(): Promise<{ server: OwnRedis; sentinel: ScriptedSentinel; url: string }> {
  const server = await startOwnRedis();
  undo.push(() => server.remove());
  const sentinel = await startScriptedSentinel(server.url);
  undo.push(() => sentinel.close());
  const { username, password } = new URL(server.url);
  return { server, sentinel, url: `redis://${username}:${password}@127.0.0.1:${sentinel.port}?sentinel=tidegate` };
}

function connect(url: string, role: RedisRole): Redis {
  const redis = connectRedis(url, role, silent) as Redis;
  undo.push(() => redis.disconnect());
  return redis;
}

/** The connections are lost, and a Sentinel announces a new server while it is asked for it. */
async function failOver({ server, sentinel }: { server: OwnRedis; sentinel: ScriptedSentinel }): Promise<void> {
  let announced = 0;
  sentinel.asked(async () => {
    if (announced >= 20) return;
    announced += 1;
    sentinel.announce();
    // The announcement arrives before the answer.
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
  await server.stop();
  await vi.waitFor(() => expect(announced).toBeGreaterThan(0), { timeout: 10_000 });
  await server.startAgain();
}

test.each(['commands', 'producer', 'worker', 'listener'] as const)(
  'a connection of the role %s connects again if a new server is announced while the Sentinels are asked',
  { timeout: 60_000 },
  async (role) => {
    const place = await start();
    const redis = connect(place.url, role);
    await vi.waitFor(() => redis.set('key', '1'), { timeout: 10_000 });
    await failOver(place);
    await vi.waitFor(() => redis.set('key', '2'), { timeout: 30_000, interval: 100 });
    expect(redis.status).toBe('ready');
  },
);

test('a queue goes on after such a failover', { timeout: 60_000 }, async () => {
  const place = await start();
  const queue = new Queue('failover', { connection: connect(place.url, 'producer'), skipVersionCheck: true });
  queue.on('error', () => undefined);
  const done: string[] = [];
  const worker = new Worker('failover', async ({ name }) => void done.push(name), {
    connection: connect(place.url, 'worker'),
    runRetryDelay: 100,
    drainDelay: 1,
  });
  worker.on('error', () => undefined);
  undo.push(() => worker.close(true));
  await vi.waitFor(() => queue.add('before', {}), { timeout: 10_000 });
  await vi.waitFor(() => expect(done).toEqual(['before']), { timeout: 10_000 });
  await failOver(place);
  await vi.waitFor(() => queue.add('after', {}, { jobId: 'after' }), { timeout: 30_000, interval: 100 });
  await vi.waitFor(() => expect(done).toContain('after'), { timeout: 30_000, interval: 100 });
});

test('a server that has lost its replicas is left for the one that the Sentinels name then', {
  timeout: 60_000,
}, async () => {
  const { sentinel, url } = await start();
  const redis = connect(url, 'commands');
  await vi.waitFor(() => redis.set('key', '1'), { timeout: 10_000 });
  let asked = 0;
  sentinel.asked(async () => {
    asked += 1;
  });
  await redis.config('SET', 'min-replicas-to-write', '1');
  await expect(redis.set('key', '2')).rejects.toSatisfy(isOutage);
  await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(0);
  await expect.poll(() => redis.get('key').catch(() => null), { timeout: 10_000 }).toBe('1');
});

test('a connection that is closed on purpose while the Sentinels are asked stays closed', {
  timeout: 60_000,
}, async () => {
  const { server, sentinel, url } = await start();
  const redis = connect(url, 'commands');
  await vi.waitFor(() => redis.set('key', '1'), { timeout: 10_000 });
  const attempts = vi.fn();
  let isClosed = false;
  sentinel.asked(async () => {
    if (isClosed) return;
    isClosed = true;
    redis.disconnect();
    redis.on('connecting', attempts);
  });
  await server.stop();
  await vi.waitFor(() => expect(isClosed).toBe(true), { timeout: 10_000 });
  await server.startAgain();
  // This connection waits as long before its first attempt, and begins later.
  const other = connect(url, 'commands');
  await vi.waitFor(() => other.set('key', '2'), { timeout: 30_000, interval: 100 });
  const connectsAgain = new Promise((resolve) => void other.once('ready', resolve));
  other.disconnect(true);
  await connectsAgain;
  expect(attempts).not.toHaveBeenCalled();
});
