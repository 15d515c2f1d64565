import { setTimeout as delay } from 'node:timers/promises';
import type { Metrics } from '@tidegate/process';
import type { QueueName } from '@tidegate/queue';
import type { Queue } from 'bullmq';

/** Reports the state of the queues from Redis. Autoscaling of workers uses the same metrics. */
export function addQueueMetrics(metrics: Metrics, queues: ReadonlyMap<QueueName, Queue>): void {
  metrics.gauge('tidegate_queue_depth', () => askEach(queues, countJobs));
  metrics.gauge('tidegate_queue_oldest_job_seconds', () => askEach(queues, oldestSeconds));
}

/** Makes the recorder that counts every finished job. */
export function jobMetrics(metrics: Metrics): (queue: QueueName, outcome: string, ms: number) => void {
  const jobs = metrics.histogram('tidegate_job_duration_seconds');
  return (queue, outcome, ms) => jobs.observe({ queue, outcome }, ms / 1000);
}

/** The longest wait for Redis in a scrape. Missing values are left out. */
const askWithinMs = 1_000;

async function askEach(
  queues: ReadonlyMap<QueueName, Queue>,
  ask: (queue: Queue) => Promise<number>,
): Promise<[{ queue: string }, number][]> {
  const late = delay(askWithinMs, null, { ref: false });
  const answers = [...queues].map(async ([queue, reading]) => {
    return [{ queue }, await Promise.race([ask(reading).catch(() => null), late])] as const;
  });
  return (await Promise.all(answers)).flatMap(([labels, answer]) => (answer === null ? [] : [[labels, answer]]));
}

async function countJobs(queue: Queue): Promise<number> {
  const { waiting = 0, active = 0 } = await queue.getJobCounts('waiting', 'active');
  return waiting + active;
}

async function oldestSeconds(queue: Queue): Promise<number> {
  const [oldest] = await queue.getJobs(['waiting'], 0, 0, true);
  return oldest ? Math.max(0, Date.now() - oldest.timestamp) / 1000 : 0;
}
