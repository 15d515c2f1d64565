import { setTimeout as delay } from 'node:timers/promises';
import { type Boundary, isUnavailable, type Log, MerchantHeld, queueNames } from '@tidegate/domain';
import { boundaryOf, isOutage, type QueueName, queueOptions, type RedisConnection, repairQueue } from '@tidegate/queue';
import type { WorkerSettings } from '@tidegate/settings';
import { boundedText } from '@tidegate/settings/bounded-text';
import { Worker } from 'bullmq';
import * as z from 'zod';
import { openNotificationJobs } from './delivery-slots/notification-jobs.ts';
import { openBacklogWaker } from './delivery-slots/wake-backlogs.ts';
import { audit } from './jobs/audit.ts';
import { dispatch } from './jobs/dispatch.ts';
import { draft } from './jobs/draft.ts';
import { expire } from './jobs/expire.ts';
import { writeExport } from './jobs/export.ts';
import { fetch } from './jobs/fetch.ts';
import { inTrace } from './jobs/in-trace.ts';
import { type Job, type JobContext, notificationData, orderData, refundData, settlementData } from './jobs/job.ts';
import { notify, retry } from './jobs/notify.ts';
import { poll } from './jobs/poll.ts';
import { reconcile } from './jobs/reconcile.ts';
import { refund } from './jobs/refund.ts';
import { settle } from './jobs/settle.ts';
import { isChannelQueue, shareBetweenChannels } from './jobs/share-between-channels.ts';
import { submit } from './jobs/submit.ts';

/**
 * The job of a killed worker becomes free after the lock time and two checks, about 14 s. Until then its id blocks new
 * jobs.
 */
const lockDuration = 8_000;
const stalledInterval = 3_000;
/** How long Redis may take to record the end of the last job. */
const redisGraceMs = 2_000;

interface QueueJob {
  /** The job of this data; undefined if the data was rejected. */
  read(boundary: Boundary, data: unknown): ((context: JobContext) => Promise<string>) | undefined;
  concurrency(settings: WorkerSettings): number;
}

function job<Data>(
  schema: z.ZodType<Data>,
  run: Job<Data>,
  concurrency: (settings: WorkerSettings) => number,
): QueueJob {
  return {
    concurrency,
    read: (boundary, raw) => {
      const data = boundary.readData('jobs', raw, schema);
      return data === undefined ? undefined : (context) => run(context, data);
    },
  };
}

/** The data of the regular jobs, which carry none. */
const none = z.unknown();

/** Every queue, the schema of its data, its job, and its concurrency. */
const jobs: Record<QueueName, QueueJob> = {
  submit: job(orderData, submit, (settings) => settings.WORKER_SUBMIT_CONCURRENCY),
  poll: job(orderData, poll, (settings) => settings.WORKER_POLL_CONCURRENCY),
  expire: job(orderData, expire, (settings) => settings.WORKER_EXPIRE_CONCURRENCY),
  // Refunds and settlements are few, so they have no setting of their own.
  refund: job(refundData, refund, (settings) => settings.WORKER_EXPIRE_CONCURRENCY),
  settle: job(settlementData, settle, (settings) => settings.WORKER_EXPIRE_CONCURRENCY),
  notify: job(notificationData, notify, (settings) => settings.WORKER_NOTIFY_CONCURRENCY),
  retry: job(notificationData, retry, (settings) => settings.WORKER_RETRY_CONCURRENCY),
  dispatch: job(none, dispatch, () => 1),
  audit: job(none, audit, () => 1),
  reconcile: job(none, reconcile, () => 1),
  // A slow transfer keeps no other channel waiting.
  fetch: job(none, fetch, () => 4),
  draft: job(none, draft, () => 1),
  export: job(none, writeExport, () => 1),
};

export interface RunningQueues {
  /** Accepts no more jobs, and resolves when the running ones are done. */
  drain(): Promise<void>;
}

/**
 * Runs the jobs of `queues` on `connection`. `done` is called for each with its outcome and duration. The outcome is
 * `unavailable` if the database or Redis was unavailable, and `failed` for an internal error. In both cases the row stays due,
 * so `dispatch` finds it again. The job itself is not repeated. `unreadable`: its data was rejected. A job whose channel has no free slot ends as `waits` or
 * `channel_full`. Work that waited calls `done` again when it has run.
 */
export function runQueues(options: {
  queues: readonly QueueName[];
  connection: RedisConnection;
  context: Omit<JobContext, 'backlogs' | 'dueRotation' | 'shares' | 'ending'>;
  settings: WorkerSettings;
  done: (queue: QueueName, outcome: string, ms: number) => void;
}): RunningQueues {
  const { connection, settings, done } = options;
  const { log, tracer } = options.context.domain;
  const ending = new AbortController();
  const context: JobContext = {
    ...options.context,
    backlogs: openBacklogWaker(options.context),
    dueRotation: new Map(),
    shares: {
      notify: openNotificationJobs(settings.WORKER_NOTIFY_CONCURRENCY),
      retry: openNotificationJobs(settings.WORKER_RETRY_CONCURRENCY),
    },
    ending: ending.signal,
  };
  const active = new Set<Promise<void>>();
  const boundary = boundaryOf(connection);
  const attempt = async (name: QueueName, data: unknown): Promise<string> => {
    const began = performance.now();
    let outcome: string;
    try {
      outcome = (await jobs[name].read(boundary, data)?.(context)) ?? 'unreadable';
    } catch (error) {
      const away = isUnavailable(error) || isOutage(error);
      outcome = away ? 'unavailable' : 'failed';
      if (error instanceof MerchantHeld) log.warn({ queue: name, ...idsOf(data) }, `a job ended: ${error.message}`);
      else if (away) log.warn({ queue: name, ...idsOf(data) }, 'a job ended: the database or Redis is unavailable');
      else log.error({ err: error, queue: name, ...idsOf(data) }, 'a job failed');
    }
    const ms = performance.now() - began;
    // Attempts at notifications have their own log lines. Jobs that were not due, and the regular ones, are not logged.
    if (isChannelQueue(name) && outcome !== 'not_due' && outcome !== 'unreadable')
      log.info({ queue: name, outcome, ms: Math.round(ms), ...idsOf(data) }, 'job');
    done(name, outcome, ms);
    return outcome;
  };
  const track = (job: Promise<void>): Promise<void> => {
    const tracked = job.finally(() => active.delete(tracked));
    active.add(tracked);
    return tracked;
  };
  const channels = shareBetweenChannels({ context, concurrencyOf: (name) => jobs[name].concurrency(settings), track });
  const runJob = async (name: QueueName, data: unknown): Promise<void> => {
    const work = (): Promise<void> => inTrace(tracer, name, data, () => attempt(name, data)).then(() => undefined);
    const placed = isChannelQueue(name) ? channels.place(name, data, work) : null;
    if (!placed) return work();
    if (placed.as !== 'runs') done(name, placed.as, 0);
    return placed.ended;
  };
  const workers = options.queues.map((name) =>
    openWorker(name, {
      connection,
      concurrency: jobs[name].concurrency(settings),
      log,
      process: ({ data }) => track(runJob(name, data)),
    }),
  );
  return {
    drain: () => {
      ending.abort();
      channels.close();
      return drain(workers, active, connection);
    },
  };
}

function openWorker(
  name: QueueName,
  options: {
    connection: RedisConnection;
    concurrency: number;
    log: Log;
    process: (job: { data: unknown }) => Promise<void>;
  },
): Worker {
  const worker = new Worker(name, options.process, {
    ...queueOptions(name, options.connection),
    concurrency: options.concurrency,
    lockDuration,
    stalledInterval,
    runRetryDelay: 1_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    // The version check stays on: without it BullMQ assumes a Redis that can only wait in whole seconds.
    drainDelay: 5,
  });
  // Without a listener an outage of Redis would end the process. The connection itself logs it.
  worker.on('error', (error) => {
    if (isOutage(error)) return;
    options.log.warn({ err: error, queue: name }, 'a queue reported an error');
    // An outage meanwhile: the job is found again when it counts as stalled.
    void repairQueue(name, options.connection).catch(() => undefined);
  });
  return worker;
}

/** BullMQ waits until Redis has recorded every finished job. If Redis is unavailable, that wait must end. */
async function drain(
  workers: Worker[],
  active: ReadonlySet<Promise<void>>,
  connection: RedisConnection,
): Promise<void> {
  const ended = async (): Promise<void> => {
    while (active.size > 0) await Promise.allSettled(active);
  };
  // Work from a channel's backlog runs outside of a job, so BullMQ does not wait for it.
  const closed = Promise.all(workers.map((worker) => worker.close())).then(ended);
  const finished = async (): Promise<void> => {
    await ended();
    await delay(redisGraceMs, undefined, { ref: false });
    connection.disconnect();
  };
  await Promise.race([closed, finished()]);
}

/** The queues of `--queues notify,poll`; all without it. Throws with the name of an unknown one. */
export function queuesOf(args: readonly string[]): QueueName[] {
  const at = args.indexOf('--queues');
  if (at < 0) return [...queueNames];
  const wanted = (args[at + 1] ?? '').split(',').filter((name) => name !== '');
  const wrong = wanted.filter((name) => !queueNames.some((known) => known === name));
  if (wrong.length > 0 || wanted.length === 0)
    throw new Error(`--queues takes some of ${queueNames.join(', ')}; not: ${wrong.join(', ') || 'nothing'}`);
  return queueNames.filter((name) => wanted.includes(name));
}

/** As `queuesOf`. Ends the process with a sentence if the names are wrong. */
export function queuesOrExit(args: readonly string[]): QueueName[] {
  try {
    return queuesOf(args);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

const ids = z.object({
  merchantId: boundedText(256).optional(),
  orderNo: boundedText(256).optional(),
  status: boundedText(256).optional(),
  refundNo: boundedText(256).optional(),
});

/** The ids in a job's data, for its log lines. */
function idsOf(data: unknown): object {
  return ids.safeParse(data).data ?? {};
}
