import { jobIdOf, type Log, type WakeUp, type Work } from '@tidegate/domain';
import type { Queue } from 'bullmq';
import { connectRedis } from './connection.ts';
import { openQueue } from './queues.ts';

export interface RunningWakeUps {
  wakeUp: WakeUp;
  close(): Promise<void>;
}

/** The most work that waits to be sent to Redis. Further work is dropped, and found by `dispatch`. */
const bufferLimit = 20_000;
/**
 * With this number of waiting jobs in a queue a further job makes nothing faster: `dispatch`, which reads 2,000 rows at
 * a time, finds the rest later. Without workers, Redis would otherwise fill up with jobs and then refuse requests.
 */
const maxWaiting = 5_000;
/** Jobs per call to Redis. */
const sendLimit = 500;

/**
 * Adds jobs for due work. Never makes its caller wait or fail. While Redis is unavailable nothing is kept, because the rows
 * themselves stay due.
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
    // Work of one tick of the event loop goes out together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, sendLimit);
      if (redis.status !== 'ready') continue;
      await Promise.all(
        [...Map.groupBy(batch, (work) => work.queue)].map(([name, works]) => addUpToLimit(queueOf(name), works)),
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

async function addUpToLimit(queue: Queue, works: readonly Work[]): Promise<void> {
  const room = maxWaiting - (await queue.getWaitingCount());
  if (room > 0) await addJobs(queue, works.slice(0, room));
}

/** Adds a job for each piece of work. The same work has the same job id, so it waits only once. */
export async function addJobs(queue: Queue, works: readonly Work[]): Promise<void> {
  await queue.addBulk(works.map((work) => ({ name: work.queue, data: work, opts: { jobId: jobIdOf(work) } })));
}
