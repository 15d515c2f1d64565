import type { TimeScale } from '../core/schedule.ts';
import type { Database } from '../database/database.ts';
import { stuckAfter } from '../ledger/index.ts';
import type { Scope } from '../lists/scope.ts';
import { collectValues } from '../lists/values.ts';
import { type WorkLimits, type WorkListName, workListsSql } from './queries.ts';

/** How much of one kind of work waits for a person. */
export interface WorkList {
  list: WorkListName;
  count: number;
  /** False: there are at least as many. */
  isExact: boolean;
  /** The time since which the oldest entry waits, in Unix milliseconds; null if none waits. */
  oldestAt: number | null;
}

const most: WorkLimits = { counted: 10_000, examined: 100_000 };

/**
 * The work that waits for people, by kind: cases, stuck payouts, tasks, notifications that failed in the last seven
 * days or were tried at least twice, approvals, findings, settlements, breaks, days. Exact to 10,000 entries. For a restricted operator only the
 * 100,000 oldest entries are searched, and of the days always the 1,000 oldest open ones.
 */
export async function readWorkLists(
  { database, scheduleScale }: { database: Database } & TimeScale,
  scope: Scope,
  limits = most,
): Promise<WorkList[]> {
  const { values, add } = collectValues();
  const text = workListsSql(scope, stuckAfter * scheduleScale, limits, add);
  const { rows } = await database.reading.query<WorkList>(text, values);
  return rows;
}
