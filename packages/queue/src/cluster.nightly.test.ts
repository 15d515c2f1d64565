import { setTimeout as delay } from 'node:timers/promises';
import { type Log, queueNames, type Work } from '@tidegate/domain';
import { Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type OwnCluster, startOwnCluster } from '../test/own-cluster.ts';
import { askRedis } from './ask-redis.ts';
import { connectRedis, type RedisConnection } from './connection.ts';
import { isOutage } from './is-outage.ts';
import { queueOptions, repairQueue } from './queue-state.ts';
import { openQueue } from './queues.ts';
import type { RedisRole } from './server-options.ts';
import { addJobs, openWakeUps } from './wake-up.ts';

const logged: string[] = [];
const log: Log = {
  debug: () => undefined,
  info: (_, message) => void logged.push(message),
  warn: (_, message) => void logged.push(message),
  error: () => undefined,
};

let cluster: OwnCluster;
const open: RedisConnection[] = [];
beforeAll(async () => {
  cluster = await startOwnCluster();
});
afterEach(() => {
  for (const redis of open.splice(0)) redis.disconnect();
});
afterAll(() => cluster.remove());

async function connect(role: RedisRole): Promise<RedisConnection> {
  const redis = connectRedis(cluster.url, role, log);
  open.push(redis);
  await vi.waitFor(() => askRedis(redis), { timeout: 10_000 });
  return redis;
}

const workOf = (queue: (typeof queueNames)[number], n: number): Work =>
  ({
    queue,
    merchantId: 'M1',
    orderNo: `PI${n}`,
    dueAt: 1,
    status: 'completed',
    channelId: 'bank',
    caseNo: n,
    refundNo: `RF${n}`,
  }) as Work;

/** Sixty keys, over all nodes. */
const keys = Array.from({ length: 60 }, (_, n) => `key-${n}`);

/**
 * The number of successful writes, and the longest time of one, in milliseconds. All others were refused because Redis
 * is unavailable.
 */
async function setAll(redis: RedisConnection): Promise<{ set: number; slowest: number }> {
  const took = await Promise.all(
    keys.map(async (key) => {
      const began = performance.now();
      const set = await redis.set(key, '1').catch((error: unknown) => {
        if (!isOutage(error)) throw error;
      });
      return { set: set === 'OK' ? 1 : 0, ms: performance.now() - began };
    }),
  );
  return {
    set: took.reduce((sum, one) => sum + one.set, 0),
    slowest: Math.max(...took.map(({ ms }) => ms)),
  };
}

test('a job that is far too long is not read from a node, and the worker is told', async () => {
  const [connection, producing] = [await connect('worker'), await connect('worker')];
  const queue = openQueue('submit', producing);
  const key = queue.toKey('huge');
  await producing.hset(key, { name: 'x', opts: '{}', data: '1'.repeat(20_000_000) });
  await producing.lpush(queue.toKey('wait'), 'huge');
  const errors: string[] = [];
  const worker = new Worker('submit', async () => undefined, queueOptions('submit', connection));
  worker.on('error', ({ message }) => {
    errors.push(message);
    void repairQueue('submit', connection).catch(() => undefined);
  });
  await vi.waitFor(() => expect(errors.join()).toContain('a reply of Redis is longer than'), { timeout: 10_000 });
  await expect.poll(() => producing.exists(key), { timeout: 10_000 }).toBe(0);
  await worker.close();
  await queue.close();
}, 30_000);

test('every queue accepts jobs in bulk, counts them, runs them and keeps a schedule, and the queues are on several nodes', {
  timeout: 60_000,
}, async () => {
  const producing = await connect('producer');
  const blocking = await connect('worker');
  for (const name of queueNames) {
    const queue = openQueue(name, producing);
    const works = Array.from({ length: 500 }, (_, n) => workOf(name, n));
    await addJobs(queue, works);
    await addJobs(queue, works.slice(0, 10));
    expect(await queue.getWaitingCount()).toBe(500);
  }
  const holding = await Promise.all(cluster.masters.map((node) => node.ask((redis) => redis.keys('*:wait'))));
  expect(holding.flat()).toHaveLength(queueNames.length);
  expect(holding.filter((names) => names.length > 0).length).toBeGreaterThan(1);
  for (const name of queueNames) {
    const queue = openQueue(name, producing);
    await queue.upsertJobScheduler('again', { every: 50 }, { name: 'again', data: {} });
    const done = new Set<string>();
    let scheduled = 0;
    const worker = new Worker(
      name,
      async (job) => {
        if (job.name === 'again') scheduled += 1;
        else done.add(job.data.orderNo);
      },
      { ...queueOptions(name, blocking), concurrency: 50, removeOnComplete: { count: 0 } },
    );
    worker.on('error', () => undefined);
    await vi.waitFor(() => expect([done.size, scheduled > 2]).toEqual([500, true]), { timeout: 15_000 });
    await queue.removeJobScheduler('again');
    await worker.close();
    expect(await queue.getJobCounts('waiting', 'active', 'failed')).toEqual({ waiting: 0, active: 0, failed: 0 });
  }
});

test('a wake-up wakes the queues of a cluster too', async () => {
  const submit = openQueue('submit', await connect('producer'));
  const wakeUps = openWakeUps({ redisUrl: cluster.url, log });
  await vi.waitFor(
    async () => {
      wakeUps.wakeUp([workOf('submit', 1), workOf('notify', 1)]);
      expect(await submit.getWaitingCount()).toBe(1);
    },
    { timeout: 10_000 },
  );
  await wakeUps.close();
  await submit.obliterate();
});

test('the first commands of a new connection find every node', async () => {
  const redis = await connect('commands');
  expect(await setAll(redis)).toMatchObject({ set: keys.length });
});

test('one address of a cluster is enough', async () => {
  const redis = connectRedis(`${cluster.masters[0]?.url}?cluster=true`, 'commands', log);
  open.push(redis);
  await vi.waitFor(() => askRedis(redis), { timeout: 10_000 });
  expect(await setAll(redis)).toMatchObject({ set: keys.length });
});

test('a command whose connection breaks is not sent again, because it may have been executed', async () => {
  const redis = await connect('commands');
  const answer = redis.blpop('list', 5).then(
    () => 'popped',
    (error: Error) => error.message,
  );
  const waiting = await vi.waitFor(async () => {
    const lists = await Promise.all(cluster.masters.map((node) => node.ask((one) => one.client('LIST'))));
    const at = lists.findIndex((list) => /cmd=blpop/.test(String(list)));
    expect(at).toBeGreaterThanOrEqual(0);
    return cluster.masters[at];
  }, 30_000);
  const id = /id=(\d+) [^\n]*cmd=blpop/.exec(String(await waiting?.ask((one) => one.client('LIST'))))?.[1] ?? '';
  await waiting?.ask((one) => one.client('KILL', 'ID', id));
  expect(await answer).toBe('Connection is closed.');
});

test.each(['SIGSTOP', 'SIGKILL'] as const)(
  'after %s of a node commands for its keys are refused within a second, others are served, and all are served when it is back',
  { timeout: 60_000 },
  async (signal) => {
    await cluster.whole();
    const redis = await connect('commands');
    const before = await setAll(redis);
    expect(before.set).toBe(keys.length);
    // The second is a timer. A busy machine takes longer for all else, as it did before.
    const limitMs = 1_000 + 20 * before.slowest;
    const target = cluster.masters[1];
    if (!target) throw new Error('no second master');
    logged.length = 0;
    if (signal === 'SIGKILL') await target.kill();
    else process.kill(target.pid, 'SIGSTOP');
    try {
      const without = await setAll(redis);
      expect(without.slowest).toBeLessThan(limitMs);
      expect(without.set).toBeGreaterThan(keys.length / 3);
      expect(without.set).toBeLessThan(keys.length);
      // Without a replica the others refuse everything once they notice.
      await vi.waitFor(() => expect(askRedis(redis)).rejects.toThrow('the Redis Cluster is down'), { timeout: 20_000 });
      const down = await setAll(redis);
      expect(down.set).toBe(0);
      expect(down.slowest).toBeLessThan(limitMs);
    } finally {
      // The next test needs it.
      if (signal === 'SIGKILL') await target.startAgain();
      else process.kill(target.pid, 'SIGCONT');
    }
    await cluster.whole();
    await vi.waitFor(async () => expect((await setAll(redis)).set).toBe(keys.length), { timeout: 20_000 });
    await askRedis(redis);
    if (signal === 'SIGKILL')
      expect(logged.filter((line) => line.startsWith('a node'))).toEqual([
        'a node of Redis is unavailable',
        'a node of Redis is back',
      ]);
  },
);

test.each(['SIGSTOP', 'SIGKILL'] as const)(
  'if a node is unavailable (%s) for longer than a worker waits, all workers continue when it is back, and can be closed',
  { timeout: 90_000 },
  async (signal) => {
    await cluster.whole();
    const producing = await connect('producer');
    const blocking = await connect('worker');
    const done = new Set<string>();
    const workers = queueNames.map((name) => {
      const run = async (job: { data: Work }) => void done.add(`${name} ${job.data.orderNo}`);
      const options = { ...queueOptions(name, blocking), drainDelay: 1, removeOnComplete: { count: 0 } };
      const worker = new Worker(name, run, options);
      worker.on('error', (error) => {
        if (!isOutage(error)) logged.push(error.message);
      });
      return worker;
    });
    const allWork = async (n: number) => {
      for (const name of queueNames)
        await addJobs(openQueue(name, producing), [workOf(name, n)]).catch(() => undefined);
      expect([...done].filter((one) => one.endsWith(` PI${n}`))).toHaveLength(queueNames.length);
    };
    await vi.waitFor(() => allWork(1), { timeout: 10_000 });
    // Waits until no job runs: BullMQ reports an error for a job whose node goes away while it ends.
    const idle = { waiting: 0, active: 0 };
    for (const name of queueNames)
      await vi.waitFor(
        async () => expect(await openQueue(name, producing).getJobCounts('waiting', 'active')).toEqual(idle),
        { timeout: 10_000 },
      );
    logged.length = 0;
    const target = cluster.masters[0];
    if (!target) throw new Error('no first master');
    if (signal === 'SIGKILL') await target.kill();
    else process.kill(target.pid, 'SIGSTOP');
    await delay(5_000);
    if (signal === 'SIGKILL') await target.startAgain();
    else process.kill(target.pid, 'SIGCONT');
    await cluster.whole();
    await vi.waitFor(() => allWork(2), { timeout: 15_000, interval: 200 });
    const began = performance.now();
    await Promise.all(workers.map((worker) => worker.close()));
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(logged.filter((line) => !line.startsWith('a node of Redis is'))).toEqual([]);
  },
);

test('without any node all commands are refused at once, with one log line, and work again when the nodes are back', {
  timeout: 60_000,
}, async () => {
  await cluster.whole();
  const redis = await connect('commands');
  logged.length = 0;
  for (const node of cluster.masters) await node.kill();
  const unavailableQuickly = async () => {
    expect((await setAll(redis)).slowest).toBeLessThan(1_000);
    expect(logged).toContain('Redis is unavailable');
  };
  await vi.waitFor(unavailableQuickly, { timeout: 10_000 });
  const without = await setAll(redis);
  expect(without.set).toBe(0);
  expect(without.slowest).toBeLessThan(500);
  await expect(askRedis(redis)).rejects.toThrow();
  for (const node of cluster.masters) await node.startAgain();
  await cluster.whole();
  await vi.waitFor(async () => expect((await setAll(redis)).set).toBe(keys.length), { timeout: 5_000 });
  expect(logged.filter((line) => line.startsWith('Redis'))).toEqual(['Redis is unavailable', 'Redis is back']);
});

test('a replica takes over for a master that was killed, and the connections follow', { timeout: 60_000 }, async () => {
  await cluster.whole();
  const redis = await connect('commands');
  const target = cluster.masters[2];
  if (!target) throw new Error('no third master');
  await cluster.addReplica(target);
  await target.kill();
  await vi.waitFor(async () => expect((await setAll(redis)).set).toBe(keys.length), { timeout: 20_000 });
  await askRedis(redis);
});
