import type { TimeScale } from '../core/schedule.ts';
import type { DatabaseAccess } from '../database/database.ts';

/** A whole run with at most this number of steps is done at once, every day. A longer run is spread over more days. */
const stepsInOneGo = 400;
/**
 * The longest duration of one run, in days. The next run begins a day later, so each row is read again after 28 days.
 */
const mostDays = 27;
const dayMs = 24 * 60 * 60_000;

/**
 * Whether the whole run that is under way is ahead of its time: it has done more than its part of the steps that the
 * last run took. The first run, and one that is late, is never ahead.
 */
export async function isAhead(domain: DatabaseAccess & TimeScale): Promise<boolean> {
  const { rows } = await domain.database.pool.query<Progress>(progressSql);
  const { steps, lastSteps, elapsedMs } = rows[0] ?? none;
  if (steps === null || lastSteps === null || elapsedMs === null) return false;
  return steps > allowedSteps(lastSteps, elapsedMs / domain.scheduleScale);
}

/** The number of steps that a run may have done after this time, if the last run took `lastSteps`. */
export function allowedSteps(lastSteps: number, elapsedMs: number): number {
  const days = Math.min(mostDays, Math.ceil(lastSteps / stepsInOneGo));
  const isOver = days <= 1 || elapsedMs >= days * dayMs;
  return isOver ? Number.POSITIVE_INFINITY : (lastSteps * elapsedMs) / (days * dayMs);
}

interface Progress {
  steps: number | null;
  lastSteps: number | null;
  elapsedMs: number | null;
}

const none: Progress = { steps: null, lastSteps: null, elapsedMs: null };

const progressSql = `select (position->>'steps')::float8 as steps, last_steps::float8 as "lastSteps",
    extract(epoch from clock_timestamp() - started_at)::float8 * 1000 as "elapsedMs"
  from audit_run where run = 'whole'`;
