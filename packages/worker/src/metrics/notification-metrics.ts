import type { NotificationStates, WaitingFigures } from '@tidegate/domain/worker';
import { cachedReading, type Metrics } from '@tidegate/process';
import { type NotificationOutcome, notificationOutcomes } from '../jobs/job.ts';

/** Both gauges of waiting notifications use one reading. */
const keptMs = 500;

/** Metrics of notifications. Values from the database and Redis are read at each scrape. */
export function addNotificationMetrics(
  metrics: Metrics,
  ask: {
    states(): Promise<NotificationStates>;
    waiting(): Promise<WaitingFigures[]>;
    openBreakers(): Promise<number>;
  },
): { notified(outcome: NotificationOutcome): void } {
  const outcomes = metrics.counter('tidegate_notifications_total');
  // Without a first value, a counter of zero looks like a missing one.
  for (const outcome of notificationOutcomes) outcomes.inc({ outcome }, 0);
  const waiting = cachedReading(ask.waiting, { keptMs });
  const states = cachedReading(ask.states, { keptMs });
  const openBreakers = cachedReading(ask.openBreakers, { keptMs: 0 });
  metrics.gauge('tidegate_notifications', async () => {
    const found = await states();
    return found && Object.entries(found).map(([state, count]) => [{ state }, count]);
  });
  metrics.gauge('tidegate_notifications_due', async () => {
    const found = await waiting();
    return found?.map(({ place, count }) => [{ waits_for: place }, count]) ?? null;
  });
  metrics.gauge('tidegate_notification_oldest_due_seconds', async () => {
    const found = await waiting();
    return found?.map(({ place, oldestMs }) => [{ waits_for: place }, oldestMs / 1000]) ?? null;
  });
  metrics.gauge('tidegate_notification_breakers_open', async () => {
    const open = await openBreakers();
    return open === null ? null : [[{}, open]];
  });
  return { notified: (outcome) => outcomes.inc({ outcome }) };
}
