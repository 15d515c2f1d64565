import type { DatabaseAccess } from '../../database/database.ts';
import { statesSql, waitingSql } from './queries.ts';

/**
 * Where due notifications wait:
 * - for a worker (first attempts and retries);
 * - in the backlogs of hosts;
 * - for the end of a pause;
 * - for an older one of their order.
 */
export type WaitingPlace = 'first' | 'retry' | 'host' | 'pause' | 'order';

export interface WaitingFigures {
  place: WaitingPlace;
  /** Counted up to 100,000. */
  count: number;
  /** How long the oldest one has been due, in ms; 0 if none waits. */
  oldestMs: number;
}

/** How many due notifications wait where, and for how long, for metrics. Cheap at any number of notifications. */
export async function notificationFigures(domain: DatabaseAccess): Promise<WaitingFigures[]> {
  const { rows } = await domain.database.pool.query<WaitingFigures>(waitingSql, [countedUpTo, linesLookedAt]);
  return rows;
}

/**
 * How many notifications are not delivered: pending, and exhausted among those created in the last two days. Each is
 * counted up to 100,000.
 */
export interface NotificationStates {
  pending: number;
  exhausted: number;
}

/** Cheap at any number of notifications: a partial index counts each part. */
export async function notificationStates(domain: DatabaseAccess): Promise<NotificationStates> {
  const { rows } = await domain.database.pool.query<NotificationStates>(statesSql, [countedUpTo]);
  return rows[0] ?? { pending: 0, exhausted: 0 };
}

const countedUpTo = 100_000;
const linesLookedAt = 1_000;
