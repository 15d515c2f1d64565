import { setTimeout as delay } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof makeMetrics>;

/** The worker's figures. Depths are asked of Redis when they are scraped. */
export function makeMetrics(queues: ReadonlyMap<string, Queue>) {
  const registry = new Registry();
  const registers = [registry];
  const depth = new Gauge({
    name: 'tidegate_queue_depth',
    help: 'Jobs that wait or run, by queue',
    labelNames: ['queue'],
    registers,
    async collect() {
      const readings = await readQueues(queues);
      depth.reset();
      age.reset();
      for (const { queue, jobs, oldestSeconds } of readings) {
        depth.set({ queue }, jobs);
        age.set({ queue }, oldestSeconds);
      }
    },
  });
  const age = new Gauge({
    name: 'tidegate_queue_oldest_job_seconds',
    help: 'How long the oldest waiting job has waited, by queue; 0 where none waits',
    labelNames: ['queue'],
    registers,
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
const readWithinMs = 1_000;

interface QueueReading {
  queue: string;
  jobs: number;
  oldestSeconds: number;
}

async function readQueues(queues: ReadonlyMap<string, Queue>): Promise<QueueReading[]> {
  const late = delay(readWithinMs, null, { ref: false });
  const readings = await Promise.all(
    [...queues].map(([name, queue]) => Promise.race([readQueue(name, queue).catch(() => null), late])),
  );
  return readings.filter((reading) => reading !== null);
}

async function readQueue(name: string, queue: Queue): Promise<QueueReading> {
  const [counts, [oldest]] = await Promise.all([
    queue.getJobCounts('waiting', 'active'),
    queue.getJobs(['waiting'], 0, 0, true),
  ]);
  return {
    queue: name,
    jobs: (counts.waiting ?? 0) + (counts.active ?? 0),
    oldestSeconds: oldest ? Math.max(0, Date.now() - oldest.timestamp) / 1000 : 0,
  };
}
