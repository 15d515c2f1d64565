import { setTimeout as delay } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import type { BenchEnvironment } from '../bench-environment.ts';
import type { Timing } from '../closed-loop.ts';
import { makeBacklog } from '../notification-backlog.ts';
import { opensslSignsPerSecond } from '../openssl-speed.ts';
import { startReceiver } from '../receiver.ts';
import type { Kind, Measured, Row } from '../row.ts';

const signing = 'openssl, RSA-2048 signatures';
const bullmq = 'BullMQ, jobs that do nothing';
const delivered = 'notifications to one receiver';

const rows: readonly Row[] = [
  { name: signing, unit: '/s' },
  { name: bullmq, unit: '/s' },
  { name: delivered, unit: '/s', peers: [signing, bullmq], aim: { atLeast: 0.5 } },
];

/** The size of the backlog, per second of the run: more than can be delivered. */
const maxPerSecond = 4_000;
const maxJobsPerSecond = 25_000;
const bullmqConcurrency = 64;
const timeoutMs = 30_000;

/** Notifications to one receiver that answers at once, compared with RSA signing alone and with empty BullMQ jobs. */
export const notifications: Kind = {
  rows,
  measure: async ({ environment, timing }, wanted, report) => {
    const measures: Readonly<Record<string, () => Promise<Measured>>> = {
      [signing]: async () => ({ figure: await opensslSignsPerSecond(Math.ceil(timing.seconds / 2)) }),
      [bullmq]: () => measureBullmq(environment, timing),
      [delivered]: () => measureDelivery(environment, timing),
    };
    for (const { name } of wanted) {
      const measured = await measures[name]?.();
      if (measured) report(name, measured);
    }
  },
};

export async function measureDelivery(environment: BenchEnvironment, timing: Timing): Promise<Measured> {
  const database = await environment.freshDatabase();
  const receiver = await startReceiver();
  try {
    const count = Math.ceil((timing.warmUp + timing.seconds + 1) * maxPerSecond);
    const domain = await environment.openDomain(database.url);
    await makeBacklog(domain, database.url, count, receiver.url).finally(() => domain.close());
    const worker = await environment.start('worker', database.url);
    try {
      return await countGrowth(environment, timing, receiver.received, count);
    } finally {
      await worker.stop();
    }
  } finally {
    receiver.close();
    await database.drop();
  }
}

/**
 * All jobs are queued before the worker starts, like the notifications. Sender and worker are in this process, with
 * BullMQ's default settings.
 */
async function measureBullmq(environment: BenchEnvironment, timing: Timing): Promise<Measured> {
  const connection = { url: environment.redisUrl, maxRetriesPerRequest: null };
  const queue = new Queue('bench-nothing', { connection });
  const count = Math.ceil((timing.warmUp + timing.seconds) * maxJobsPerSecond);
  const bulk = 1_000;
  let done = 0;
  const options = { connection, concurrency: bullmqConcurrency, removeOnComplete: { count: 0 } };
  let worker: Worker | null = null;
  try {
    for (let added = 0; added < count; added += bulk)
      await queue.addBulk(Array.from({ length: bulk }, () => ({ name: 'nothing', data: {} })));
    const nothing = async (): Promise<void> => {
      done += 1;
    };
    worker = new Worker('bench-nothing', nothing, options);
    return await countGrowth(environment, timing, () => done, count);
  } finally {
    await worker?.close(true);
    await queue.obliterate({ force: true });
    await queue.close();
  }
}

/**
 * The rate at which a counter grows after the warm-up. Ends early when the counter reaches `all`. Throws if it does not
 * grow for `timeoutMs`.
 */
async function countGrowth(
  environment: BenchEnvironment,
  timing: Timing,
  count: () => number,
  all: number,
): Promise<Measured> {
  const growsBeyond = async (before: number): Promise<void> => {
    const deadline = performance.now() + timeoutMs;
    while (count() === before) {
      if (performance.now() > deadline) throw new Error(`nothing was done for ${timeoutMs} ms`);
      await delay(5);
    }
  };
  await growsBeyond(0);
  await delay(timing.warmUp * 1000);
  const [before, from] = [count(), performance.now()];
  const cpuOf = environment.countCpu();
  while (count() < all && performance.now() < from + timing.seconds * 1000) await delay(10);
  await growsBeyond(before);
  const grown = count() - before;
  return { figure: (1000 * grown) / (performance.now() - from), cpuUs: cpuOf(grown) };
}
