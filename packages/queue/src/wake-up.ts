import { jobIdOf, type Log, type WakeUp, type Work } from '@tidegate/domain';
import { FairQueue, mayHold } from '@tidegate/domain/sharing';
import type { Queue } from 'bullmq';
import { connectRedis } from './connection.ts';
import { freeIds } from './queue-state.ts';
import { connectionOf, onQueue, openQueue } from './queues.ts';

export interface RunningWakeUps {
  wakeUp: WakeUp;
  close(): Promise<void>;
}

/**
 * The most work that waits to be sent to Redis. The merchants take turns. What has no place is dropped, and found by
 * `dispatch`.
 */
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
  const shares = new Map<Work['queue'], JobShares>();
  const sharesOf = (name: Work['queue']): JobShares => {
    const known = shares.get(name) ?? new JobShares();
    shares.set(name, known);
    return known;
  };
  let waiting = emptyBuffer();
  let sending: Promise<void> | null = null;

  const send = async (): Promise<void> => {
    // Work of one tick of the event loop goes out together.
    await new Promise(setImmediate);
    while (waiting.size > 0) {
      const batch = takeTurns(waiting);
      if (redis.status !== 'ready') continue;
      await Promise.all(
        [...Map.groupBy(batch, (work) => work.queue)].map(([name, works]) =>
          addUpToLimit(queueOf(name), sharesOf(name), works),
        ),
      );
    }
    sending = null;
  };

  return {
    wakeUp: (work) => {
      for (const one of work) waiting.add(one, one.merchantId, 'create');
      sending ??= send().catch(() => {
        waiting = emptyBuffer();
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

const emptyBuffer = (): FairQueue<Work> => new FairQueue<Work>({ places: bufferLimit });

function takeTurns(waiting: FairQueue<Work>): Work[] {
  const batch: Work[] = [];
  while (batch.length < sendLimit) {
    const next = waiting.next();
    if (!next) break;
    batch.push(next.value);
  }
  return batch;
}

async function addUpToLimit(queue: Queue, shares: JobShares, works: readonly Work[]): Promise<void> {
  const waiting = await onQueue(queue, () => queue.getWaitingCount());
  shares.fitTo(waiting);
  const added: Work[] = [];
  for (const work of works) if (shares.add(work.merchantId, maxWaiting - waiting - added.length)) added.push(work);
  if (added.length > 0) await addJobs(queue, added);
}

/**
 * How many of the waiting jobs of one queue each merchant has, as far as this process added them. Which ones were done is
 * not known. So when fewer wait than were added, all merchants count as having less in the same proportion.
 */
class JobShares {
  readonly #jobs = new Map<string, number>();
  #total = 0;

  fitTo(waiting: number): void {
    if (waiting >= this.#total) return;
    const part = waiting / this.#total;
    this.#total = 0;
    for (const [merchantId, jobs] of this.#jobs) {
      const left = jobs * part;
      if (left < 0.5) this.#jobs.delete(merchantId);
      else this.#jobs.set(merchantId, left);
      this.#total += left < 0.5 ? 0 : left;
    }
  }

  /** Counts a job of the merchant, if it may have one more while there is room for this number. */
  add(merchantId: string, room: number): boolean {
    const jobs = this.#jobs.get(merchantId) ?? 0;
    if (!mayHold(jobs, room)) return false;
    this.#jobs.set(merchantId, jobs + 1);
    this.#total += 1;
    return true;
  }
}

/** A job that waits so long is late, or something else is stored under its id. */
const lateMs = 30_000;
/** The most late jobs that are looked up at once. */
const mostLate = 200;

/** Adds a job for each piece of work. The same work has the same job id, so it waits only once. */
export async function addJobs(queue: Queue, works: readonly Work[]): Promise<void> {
  const late = works.filter(({ dueAt }) => dueAt < Date.now() - lateMs).slice(0, mostLate);
  if (late.length > 0) await freeIds(queue, connectionOf(queue), late.map(jobIdOf));
  const jobs = works.map((work) => ({ name: work.queue, data: work, opts: { jobId: jobIdOf(work) } }));
  await onQueue(queue, () => queue.addBulk(jobs));
}
