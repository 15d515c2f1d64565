import type { NotificationWork } from '../core/queued-work.ts';
import type { DatabaseAccess } from '../database/database.ts';
import {
  firstOfBacklogsSql,
  pauseBacklogSql,
  releaseResumedSql,
  releaseStrandedSql,
  waitingBacklogsSql,
} from './statements.ts';

/**
 * A merchant's notifications that wait for a delivery slot at one host. They are off the schedule, so they are not
 * polled, however many they are. The worker that ends an attempt at the host takes the next one, and `dispatch` visits
 * the backlogs one after another.
 */
export interface HostBacklog {
  host: string;
  merchantId: string;
}

/**
 * Backlogs that are not empty, by host and merchant, after `after`; at most `limit`, with `ofHost` of that host only.
 */
export async function waitingBacklogs(
  domain: DatabaseAccess,
  { after, ofHost = null, limit }: { after: HostBacklog; ofHost?: string | null; limit: number },
): Promise<HostBacklog[]> {
  const { rows } = await domain.database.pool.query<HostBacklog>(waitingBacklogsSql, [
    after.host,
    after.merchantId,
    ofHost,
    limit,
  ]);
  return rows;
}

/** The first `count` of each of these backlogs, as work for the queues. */
export async function firstOfBacklogs(
  domain: DatabaseAccess,
  wanted: readonly (HostBacklog & { count: number })[],
): Promise<NotificationWork[]> {
  const { rows } = await domain.database.pool.query<NotificationWork & { traceparent: string | null }>(
    firstOfBacklogsSql,
    [
      wanted.map((backlog) => backlog.host),
      wanted.map((backlog) => backlog.merchantId),
      wanted.map((backlog) => backlog.count),
    ],
  );
  return rows.map(({ traceparent, ...work }) => ({ ...work, ...(traceparent !== null && { traceparent }) }));
}

/**
 * Takes a paused merchant's notifications out of its backlog; they wait for the end of the pause instead. At most
 * 5,000 at once.
 */
export async function pauseBacklog(domain: DatabaseAccess, { host, merchantId }: HostBacklog): Promise<number> {
  const { rowCount } = await domain.database.pool.query(pauseBacklogSql, [host, merchantId, pausedAtOnce]);
  return rowCount ?? 0;
}

/**
 * Moves notifications of merchants whose pause is over to the backlogs of their hosts: the longest due first, at most
 * `limit`. So a single flag ends a pause, also if a process dies meanwhile, and a large backlog drains at the pace of
 * its own host. Returns how many there were.
 */
export async function releaseResumed(domain: DatabaseAccess, limit: number): Promise<number> {
  const { rowCount } = await domain.database.pool.query(releaseResumedSql, [limit]);
  return rowCount ?? 0;
}

/**
 * Puts notifications back on the schedule that wait for an older one of their order, although it was settled. Workers
 * of an older release do not release them. Looks at `limit` of those due after `after`, in Unix ms, and at those of
 * the same millisecond as the last. Returns where the next call continues; null at the end.
 */
export async function releaseStranded(domain: DatabaseAccess, after: number, limit: number): Promise<number | null> {
  const { rows } = await domain.database.pool.query<{ last: number | null; seen: number }>(releaseStrandedSql, [
    after,
    limit,
  ]);
  const { last = null, seen = 0 } = rows[0] ?? {};
  return seen >= limit ? last : null;
}

const pausedAtOnce = 5_000;
