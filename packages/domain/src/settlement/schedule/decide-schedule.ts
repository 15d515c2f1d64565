import { type Calendar, runsOn, shiftDay } from '../calendar/decide-days.ts';

const minute = 60_000;

/** When drafts are made by schedule. Hours are those of the country's day. */
export const draftTimes = {
  /** At this hour the statements of the previous day have come, and its days can be closed. */
  hour: 10,
  /** After this number of hours a run counts as missing. */
  missingAfterHours: 2,
  /** How long no other process begins the run of a merchant, if the process of an attempt dies. In ms. */
  lease: 5 * minute,
};

/** How many days back a missed run is looked for. No cycle pauses for longer, holidays included. */
const maxDaysBack = 31;

/** The last day up to `until` on which the cycle runs. Null: a year on the way has no holiday file, or there is none. */
export function lastRunDay(calendar: Calendar, weekdays: readonly string[], until: string): string | null {
  for (let back = 0; back <= maxDaysBack; back += 1) {
    const day = shiftDay(until, -back);
    const runs = runsOn(calendar, weekdays, day);
    if (runs === null) return null;
    if (runs) return day;
  }
  return null;
}

/** The last run of a merchant. */
export interface LastRun {
  day: string;
  state: 'running' | 'done' | 'failed';
  /** Whether another process may try it by now. */
  isFree: boolean;
}

/** Whether a cycle that runs on `day` has to be drafted for it now. */
export function isDue(day: string, last: LastRun): boolean {
  return last.day < day || (last.day === day && last.state !== 'done' && last.isFree);
}

/**
 * Whether the run of a cycle for `day` is missing, if it should be over by now. `day` null: it is not known whether there is one. `settledDay`: the day of
 * the newest settlement. A run that failed is missing until a draft is there, also after the next run has begun.
 */
export function isMissing(
  day: string | null,
  last: (Omit<LastRun, 'isFree'> & { settledDay: string | null }) | null,
): boolean {
  if (day === null || last === null) return true;
  if (last.day < day) return true;
  return last.state !== 'done' && (last.day === day || last.settledDay === null || last.settledDay < day);
}

/** How long to wait after the `attempts`th attempt that failed, in ms: doubled each time, at most an hour. */
export function waitAfter(attempts: number): number {
  return Math.min(60 * minute, minute * 2 ** Math.min(10, Math.max(0, attempts - 1)));
}
