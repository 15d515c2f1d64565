import { jobIdOf, type Log, type WakeUp, type Work } from '@tidegate/domain';
import type { Queue } from 'bullmq';
import { connectRedis } from './connection.ts';
import { openQueue } from './queues.ts';

export interface RunningWakeUps {
  wakeUp: WakeUp;
  close(): Promise<void>;
}

/** Work that waits to be sent; what comes on top is dropped, and found by `dispatch`. */
const bufferLimit = 20_000;
/**
 * With so many jobs waiting in a queue another one brings nothing forward: `dispatch`, which looks at 2,000 at once, finds the rest as they are
 * worked off. Where no worker runs, Redis would fill up with them, and then refuse requests too.
 */
const mostWaiting = 5_000;
/** Jobs that go to Redis in one call. */
const sendLimit = 500;

/**
 * Adds jobs for work that is due, without ever making its caller wait or fail: while Redis is away nothing is kept, as the rows
 * themselves say what is due.
 */
export function openWakeUps(options: { redisUrl: string; log: Log }): RunningWakeUps {
  const redis = connectRedis(options.redisUrl, 'producer', options.log);
  const queues = new Map<Work['queue'], Queue>();
  const queueOf = (name: Work['queue']): Queue => {
    const queue = queues.get(name) ?? openQueue(name, redis);
    queues.set(name, queue);
    return queue;
  };
  let waiting: Work[] = [];
  let sending: Promise<void> | null = null;

  const send = async (): Promise<void> => {
    // What one turn of the event loop brings goes out together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, sendLimit);
      if (redis.status !== 'ready') continue;
      await Promise.all(
        [...Map.groupBy(batch, (work) => work.queue)].map(([name, works]) => addWhereRoom(queueOf(name), works)),
      );
    }
    sending = null;
  };

  return {
    wakeUp: (work) => {
      waiting.push(...work.slice(0, bufferLimit - waiting.length));
      sending ??= send().catch(() => {
        waiting = [];
        sending = null;
      });
    },
    close: async () => {
      await sending;
      await Promise.all([...queues.values()].map((queue) => queue.close().catch(() => undefined)));
      redis.disconnect();
    },
  };
}

async function addWhereRoom(queue: Queue, works: readonly Work[]): Promise<void> {
  const room = mostWaiting - (await queue.getWaitingCount());
  if (room > 0) await addJobs(queue, works.slice(0, room));
}

/** Jobs carry ids only; the same work has the same job id, and waits once. */
export async function addJobs(queue: Queue, works: readonly Work[]): Promise<void> {
  await queue.addBulk(works.map((work) => ({ name: work.queue, data: work, opts: { jobId: jobIdOf(work) } })));
}
