import { platformMerchantOf } from '../../core/country.ts';
import { timeZoneOf } from '../../countries/index.ts';
import type { Database } from '../../database/database.ts';
import type { Scope } from '../../lists/scope.ts';
import { listReconciliationDays } from '../list-days.ts';
import type { BreakKind, ReconciliationDay } from '../types.ts';
import { type DayRef, factsOf, type LockedDay } from './close-day.ts';
import { problemsOfClosing } from './decide-close.ts';
import { openByKindSql, readDaySql } from './queries.ts';

/** Open breaks of one kind. `difference`: their amounts without signs, decimal text. */
export interface OpenBreaks {
  kind: BreakKind;
  breaks: number;
  difference: string;
}

/** A day of a channel with what is left to do. */
export interface DayDetail {
  day: ReconciliationDay;
  /** Reasons why the day cannot be closed yet, as sentences for operators. Empty if it can be closed, or is closed. */
  closingProblems: string[];
  openByKind: OpenBreaks[];
}

/** A day with what is left to do; null if nothing is known of it, or if it is out of scope. */
export async function readReconciliationDay(
  { database }: { database: Database },
  scope: Scope,
  ref: DayRef,
): Promise<DayDetail | null> {
  const { country, channelId, day } = ref;
  const key = [platformMerchantOf(country), channelId, day];
  const filter = { from: day, to: day, merchantIds: [platformMerchantOf(country)], channelIds: [channelId] };
  const [found] = await listReconciliationDays({ database }, scope, filter);
  if (!found) return null;
  const { reading } = database;
  const open = await reading.query<OpenBreaks & object>(openByKindSql, key);
  const { rows } = await reading.query<LockedDay & object>(readDaySql, [...key, timeZoneOf[country]]);
  const [state] = rows;
  const closingProblems =
    state?.state === 'open' ? problemsOfClosing({ ...state, ...(await factsOf(reading, ref)) }) : [];
  return { day: found, closingProblems, openByKind: open.rows };
}
