import type { WaitingFigures } from '@tidegate/domain';
import { Counter, Gauge, type Registry } from 'prom-client';
import { type NotificationOutcome, notificationOutcomes } from './jobs/job.ts';

/** A scrape waits no longer than this for the database or Redis; figures that are not to be had are left out. */
const askWithinMs = 1_000;

/** The figures of notifications. What lies in the database and in Redis is asked for when it is scraped. */
export function addNotificationMetrics(
  registry: Registry,
  ask: { waiting(): Promise<WaitingFigures[]>; openBreakers(): Promise<number> },
): { notified(outcome: NotificationOutcome): void } {
  const registers = [registry];
  const outcomes = new Counter({
    name: 'tidegate_notifications_total',
    help: 'Attempts at notifications by what they came to, and notifications that were put off without one: host_full, breaker_open, merchant_busy, paused',
    labelNames: ['outcome'],
    registers,
  });
  // A figure that is not there yet cannot be told from one that nobody keeps.
  for (const outcome of notificationOutcomes) outcomes.inc({ outcome }, 0);
  let waiting: Promise<WaitingFigures[] | null> = Promise.resolve(null);
  new Gauge({
    name: 'tidegate_notifications_due',
    help: 'Notifications that are due (at most 100,000 are counted): first and retry wait for a worker, host in line for a turn, pause for its end',
    labelNames: ['waits_for'],
    registers,
    async collect() {
      this.reset();
      waiting = inTime(ask.waiting());
      for (const { place, count } of (await waiting) ?? []) this.set({ waits_for: place }, count);
    },
  });
  new Gauge({
    name: 'tidegate_notification_oldest_due_seconds',
    help: 'How long the notification has been due that waits for longest; 0 where none waits',
    labelNames: ['waits_for'],
    registers,
    async collect() {
      this.reset();
      for (const { place, oldestMs } of (await waiting) ?? []) this.set({ waits_for: place }, oldestMs / 1000);
    },
  });
  new Gauge({
    name: 'tidegate_notification_breakers_open',
    help: 'Endpoints that get one attempt a minute because they failed 10 times in a row',
    registers,
    async collect() {
      const open = await inTime(ask.openBreakers());
      if (open === null) this.remove();
      else this.set(open);
    },
  });
  return { notified: (outcome) => outcomes.inc({ outcome }) };
}

async function inTime<T>(asked: Promise<T>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, askWithinMs, null).unref());
  return Promise.race([asked.catch(() => null), late]);
}
