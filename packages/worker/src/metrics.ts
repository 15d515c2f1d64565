import { setTimeout as delay } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The worker's figures. Depths are asked of Redis when they are scraped. */
export function makeMetrics(queues: ReadonlyMap<string, Queue>) {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'tidegate_queue_depth',
    help: 'Jobs that wait or run, by queue',
    labelNames: ['queue'],
    registers,
    async collect() {
      this.reset();
      for (const [queue, jobs] of await askEach(queues, countJobs)) this.set({ queue }, jobs);
    },
  });
  new Gauge({
    name: 'tidegate_queue_oldest_job_seconds',
    help: 'How long the oldest waiting job has waited, by queue; 0 where none waits',
    labelNames: ['queue'],
    registers,
    async collect() {
      this.reset();
      for (const [queue, seconds] of await askEach(queues, oldestSeconds)) this.set({ queue }, seconds);
    },
  });
  return {
    registry,
    jobs: new Histogram({
      name: 'tidegate_job_seconds',
      help: 'How long jobs took, by queue and outcome',
      labelNames: ['queue', 'outcome'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 25],
      registers,
    }),
    channelCalls: new Histogram({
      name: 'tidegate_channel_call_seconds',
      help: 'How long calls to channels took, by channel, operation and outcome',
      labelNames: ['channel', 'operation', 'outcome'],
      buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10],
      registers,
    }),
    batches: new Histogram({
      name: 'tidegate_seam_batch_size',
      help: 'Commands that rode in one transaction',
      buckets: [1, 2, 5, 10, 25, 50, 100, 200],
      registers,
    }),
    lanes: new Histogram({
      name: 'tidegate_seam_seconds',
      help: 'How long commands waited for their transaction, and how long that took',
      labelNames: ['phase'],
      buckets: [0.0005, 0.001, 0.005, 0.02, 0.1, 0.5, 1, 5],
      registers,
    }),
    errors: new Counter({
      name: 'tidegate_worker_errors_total',
      help: 'Jobs that failed, by queue',
      labelNames: ['queue'],
      registers,
    }),
  };
}

/** A scrape waits no longer for Redis; figures that are not to be had are left out. */
const askWithinMs = 1_000;

async function askEach(
  queues: ReadonlyMap<string, Queue>,
  ask: (queue: Queue) => Promise<number>,
): Promise<[string, number][]> {
  const late = delay(askWithinMs, null, { ref: false });
  const answers = [...queues].map(async ([name, queue]): Promise<[string, number | null]> => {
    return [name, await Promise.race([ask(queue).catch(() => null), late])];
  });
  return (await Promise.all(answers)).flatMap(([name, answer]) => (answer === null ? [] : [[name, answer]]));
}

async function countJobs(queue: Queue): Promise<number> {
  const { waiting = 0, active = 0 } = await queue.getJobCounts('waiting', 'active');
  return waiting + active;
}

async function oldestSeconds(queue: Queue): Promise<number> {
  const [oldest] = await queue.getJobs(['waiting'], 0, 0, true);
  return oldest ? Math.max(0, Date.now() - oldest.timestamp) / 1000 : 0;
}
