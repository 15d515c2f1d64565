import { queueNames } from '@tidegate/domain';
import type { Queue } from 'bullmq';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof makeMetrics>;

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
      for (const name of queueNames) {
        const counts = await queues
          .get(name)
          ?.getJobCounts('waiting', 'active', 'prioritized')
          .catch(() => null);
        if (counts)
          this.set(
            { queue: name },
            Object.values(counts).reduce((sum, count) => sum + count, 0),
          );
      }
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
