import type { DatabaseAccess } from '../../database/database.ts';
import { statesSql, waitingSql } from './statements.ts';

/** Where notifications wait that are due: for a worker, first attempts and retries; in the lines at their hosts; for the end of a pause; for an older one of their order. */
export type WaitingPlace = 'first' | 'retry' | 'host' | 'pause' | 'order';

export interface WaitingFigures {
  place: WaitingPlace;
  /** Counted up to 100,000. */
  count: number;
  /** For how long the one that has been due for longest waits, in ms; 0 where none waits. */
  oldestMs: number;
}

/** How many due notifications wait where, and for how long: for the figures. Cheap, however many there are. */
export async function notificationFigures(domain: DatabaseAccess): Promise<WaitingFigures[]> {
  const { rows } = await domain.database.pool.query<WaitingFigures>(waitingSql, [countedUpTo, linesLookedAt]);
  return rows;
}

/** How many notifications have not been delivered: pending, and of those created in the last two days exhausted; each counted up to 100,000. */
export interface NotificationStates {
  pending: number;
  exhausted: number;
}

/** Cheap, however many there are: each part is counted by its own partial index. */
export async function notificationStates(domain: DatabaseAccess): Promise<NotificationStates> {
  const { rows } = await domain.database.pool.query<NotificationStates>(statesSql, [countedUpTo]);
  return rows[0] ?? { pending: 0, exhausted: 0 };
}

const countedUpTo = 100_000;
const linesLookedAt = 1_000;
