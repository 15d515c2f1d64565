import { queueNames } from '@tidegate/domain';
import { type QueueName, queueOptions } from '@tidegate/queue';
import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Settings } from './config.ts';
import { dispatch } from './jobs/dispatch.ts';
import { expire } from './jobs/expire.ts';
import type { Job, JobContext } from './jobs/job.ts';
import { notify } from './jobs/notify.ts';
import { poll } from './jobs/poll.ts';
import { submit } from './jobs/submit.ts';

/** Every queue, its job, and how many run at once. */
const jobs: Record<QueueName, { run: Job; concurrency: (settings: Settings) => number }> = {
  submit: { run: submit, concurrency: (settings) => settings.WORKER_SUBMIT_CONCURRENCY },
  poll: { run: poll, concurrency: (settings) => settings.WORKER_POLL_CONCURRENCY },
  expire: { run: expire, concurrency: (settings) => settings.WORKER_EXPIRE_CONCURRENCY },
  notify: { run: notify, concurrency: (settings) => settings.WORKER_NOTIFY_CONCURRENCY },
  dispatch: { run: dispatch, concurrency: () => 1 },
};

export interface RunningQueues {
  /** Takes no more jobs, and resolves when those that run are done. */
  drain(): Promise<void>;
}

/** Runs the jobs of `queues` on `connection`. `done` is told of each: its outcome, or `failed`, and how long it took. */
export function runQueues(options: {
  queues: readonly QueueName[];
  connection: Redis;
  context: JobContext;
  settings: Settings;
  done: (queue: QueueName, outcome: string, ms: number) => void;
}): RunningQueues {
  const { context, connection, settings, done } = options;
  const workers = options.queues.map((name) => {
    const { run, concurrency } = jobs[name];
    const process = async ({ data }: { data: unknown }): Promise<void> => {
      const started = performance.now();
      try {
        done(name, await run(context, data), performance.now() - started);
      } catch (error) {
        // The row says still what is to be done, so that dispatch finds it again: the job itself is not repeated.
        context.domain.log.error({ err: error, queue: name, ...idsOf(data) }, 'a job failed');
        done(name, 'failed', performance.now() - started);
      }
    };
    const worker = new Worker(name, process, {
      ...queueOptions(name, connection),
      concurrency: concurrency(settings),
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      drainDelay: 5,
      skipVersionCheck: true,
    });
    // Without a listener an outage of Redis would end the process; the connection logs it.
    worker.on('error', () => undefined);
    return worker;
  });
  return {
    drain: async () => {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

/** The queues of `--queues notify,poll`; all without it. Throws, naming the wrong one. */
export function queuesOf(args: readonly string[]): QueueName[] {
  const at = args.indexOf('--queues');
  if (at < 0) return [...queueNames];
  const wanted = (args[at + 1] ?? '').split(',').filter((name) => name !== '');
  const wrong = wanted.filter((name) => !queueNames.some((known) => known === name));
  if (wrong.length > 0 || wanted.length === 0)
    throw new Error(`--queues takes some of ${queueNames.join(', ')}; not: ${wrong.join(', ') || 'nothing'}`);
  return queueNames.filter((name) => wanted.includes(name));
}

function idsOf(data: unknown): object {
  const { merchantId, orderNo, status } = (data ?? {}) as Record<string, unknown>;
  return { merchantId, orderNo, ...(status !== undefined && { status }) };
}
