import type { Country } from '../../core/country.ts';
import type { Decision } from '../../core/operator.ts';
import type { TimeScale } from '../../core/schedule.ts';
import type { Telemetry } from '../../core/telemetry.ts';
import { countries, timeZoneOf } from '../../countries/index.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import type { LedgerAccess } from '../../ledger/index.ts';
import { type Calendar, isAnnounced, shiftDay } from '../calendar/decide-days.ts';
import { holidayYears } from '../calendar/index.ts';
import { draftCycle } from '../draft-settlements.ts';
import type { Cycle } from '../read-draft-facts.ts';
import { draftTimes, isDue, isMissing, type LastRun, lastRunDay, waitAfter } from './decide-schedule.ts';
import {
  beginRunsSql,
  claimRunSql,
  countriesOfCyclesSql,
  endRunSql,
  lastDaySql,
  runsOfCyclesSql,
  scheduledCyclesSql,
} from './queries.ts';

export type ScheduleAccess = LedgerAccess & DatabaseAccess & Telemetry & TimeScale;

interface Scheduled extends Cycle {
  lastDay: string | null;
  lastState: LastRun['state'] | null;
  isFree: boolean;
  /** The day of its newest settlement. */
  settledDay: string | null;
}

const pageSize = 200;
const bySchedule: Decision = { actor: 'the schedule', approver: null, reason: 'its cycle runs on this day' };

/**
 * Drafts the settlements of all cycles that are due by schedule, each once: a process claims the merchant's day first. A day that was missed is
 * drafted later. What an operator has drafted for the day already stays as it is. A draft that fails is tried again. `at`: the last day to draft by
 * country, for tests; left out: by the database's clock. Resolves to `found` if one was drafted.
 */
export async function draftBySchedule(
  domain: ScheduleAccess,
  isEnding: () => boolean = () => false,
  at: (country: Country) => Promise<string> = (country) => lastDayOf(domain, country, draftTimes.hour),
): Promise<'found' | 'nothing'> {
  let found: 'found' | 'nothing' = 'nothing';
  for (const country of countries) {
    const until = await at(country);
    for (let after: string | null = ''; after !== null; ) {
      const page: Scheduled[] = await pageOfCycles(domain, country, after);
      for (const cycle of page) {
        if (isEnding()) return found;
        if (await draftScheduled(domain, country, cycle, until)) found = 'found';
      }
      after = page.length < pageSize ? null : (page.at(-1)?.merchantId ?? null);
    }
  }
  return found;
}

/**
 * How many cycles of each country should have been drafted some hours ago and were not, for metrics. Those whose holidays are unknown count too.
 * A country without cycles is left out. `at`: as in `draftBySchedule`.
 */
export async function countMissingDrafts(
  domain: DatabaseAccess,
  at: (country: Country) => Promise<string> = (country) =>
    lastDayOf(domain, country, draftTimes.hour + draftTimes.missingAfterHours),
): Promise<{ country: Country; count: number }[]> {
  const { rows } = await domain.database.pool.query<{
    country: Country;
    weekdays: string[];
    lastDay: string | null;
    lastState: LastRun['state'] | null;
    settledDay: string | null;
    count: number;
  }>(runsOfCyclesSql);
  const counts = new Map<Country, number>();
  for (const { country, weekdays, lastDay, lastState, settledDay, count } of rows) {
    const day = lastRunDay(calendarOf(country), weekdays, await at(country));
    const last = lastDay === null || lastState === null ? null : { day: lastDay, state: lastState, settledDay };
    counts.set(country, (counts.get(country) ?? 0) + (isMissing(day, last) ? count : 0));
  }
  return [...counts].map(([country, count]) => ({ country, count }));
}

/** How many days before a year its holidays have to be announced. */
const announcedBefore = 14;

/**
 * Whether the holidays of each country with cycles have to be compared with the announcement of its government: they are computed, or missing, for the
 * current year or for the one that begins within two weeks. `at`: as in `draftBySchedule`.
 */
export async function readUnannouncedHolidays(
  domain: DatabaseAccess,
  at: (country: Country) => Promise<string> = (country) => lastDayOf(domain, country, 0),
): Promise<{ country: Country; isUnannounced: boolean }[]> {
  const { rows } = await domain.database.pool.query<{ country: Country }>(countriesOfCyclesSql);
  const found: { country: Country; isUnannounced: boolean }[] = [];
  for (const { country } of rows) {
    const today = await at(country);
    const days = [today, shiftDay(today, announcedBefore)];
    found.push({ country, isUnannounced: !days.every((day) => isAnnounced(calendarOf(country), day)) });
  }
  return found;
}

async function pageOfCycles({ database }: DatabaseAccess, country: Country, after: string): Promise<Scheduled[]> {
  return (await database.pool.query<Scheduled>(scheduledCyclesSql, [country, after, pageSize])).rows;
}

async function lastDayOf({ database }: DatabaseAccess, country: Country, hour: number): Promise<string> {
  const { rows } = await database.pool.query<{ day: string }>(lastDaySql, [timeZoneOf[country], hour]);
  return rows[0]?.day ?? '';
}

const calendarOf = (country: Country): Calendar => ({ country, years: holidayYears });

/** Resolves to whether the cycle was due, and this process had its turn. */
async function draftScheduled(
  domain: ScheduleAccess,
  country: Country,
  { lastDay, lastState, isFree, settledDay, ...cycle }: Scheduled,
  until: string,
): Promise<boolean> {
  const { pool } = domain.database;
  const { merchantId } = cycle;
  if (lastDay === null || lastState === null) {
    await pool.query(beginRunsSql, [merchantId, until]);
    return false;
  }
  const calendar = calendarOf(country);
  const day = lastRunDay(calendar, cycle.weekdays, until);
  if (day === null || !isDue(day, { day: lastDay, state: lastState, isFree })) return false;
  const { rows } = await pool.query<{ attempts: number }>(claimRunSql, [merchantId, day, draftTimes.lease]);
  const [claimed] = rows;
  if (!claimed) return false;
  const isThere = settledDay !== null && settledDay >= day;
  const outcome = isThere ? 'nothing' : await draftCycle(domain, calendar, { country, cycle, day }, bySchedule);
  const isFailed = outcome === 'failed' || outcome === 'skipped';
  const wait = isFailed ? waitAfter(claimed.attempts) * domain.scheduleScale : 0;
  await pool.query(endRunSql, [merchantId, day, claimed.attempts, isFailed ? 'failed' : 'done', wait]);
  if (outcome === 'skipped') domain.log.warn({ merchantId, day }, 'a settlement is not drafted: holidays are missing');
  return true;
}
