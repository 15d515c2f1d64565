import type { NotificationWork } from '../core/queued-work.ts';
import type { DatabaseAccess } from '../database/database.ts';
import {
  firstInLinesSql,
  pauseLineSql,
  releaseForgottenSql,
  releaseResumedSql,
  waitingLinesSql,
} from './statements.ts';

/**
 * A merchant's notifications that wait for a delivery slot at one host. They are off the schedule, so that nobody
 * polls them, however many they are. The worker that ends an attempt at the host takes the next one, and `dispatch`
 * visits the backlogs one after another.
 */
export interface HostBacklog {
  host: string;
  merchantId: string;
}

/** Lines in which somebody waits, by host and merchant, those that come after `after`; at most `limit`, with `ofHost` of that host only. */
export async function waitingBacklogs(
  domain: DatabaseAccess,
  { after, ofHost = null, limit }: { after: HostBacklog; ofHost?: string | null; limit: number },
): Promise<HostBacklog[]> {
  const { rows } = await domain.database.pool.query<HostBacklog>(waitingLinesSql, [
    after.host,
    after.merchantId,
    ofHost,
    limit,
  ]);
  return rows;
}

/** The first `count` of each of these lines, as work for the queues. */
export async function firstOfBacklogs(
  domain: DatabaseAccess,
  wanted: readonly (HostBacklog & { count: number })[],
): Promise<NotificationWork[]> {
  const { rows } = await domain.database.pool.query<NotificationWork & { traceparent: string | null }>(
    firstInLinesSql,
    [
      wanted.map((backlog) => backlog.host),
      wanted.map((backlog) => backlog.merchantId),
      wanted.map((backlog) => backlog.count),
    ],
  );
  return rows.map(({ traceparent, ...work }) => ({ ...work, ...(traceparent !== null && { traceparent }) }));
}

/** Takes a paused merchant's notifications out of its line; they wait for the end of the pause instead. At most 5,000 at once. */
export async function pauseBacklog(domain: DatabaseAccess, { host, merchantId }: HostBacklog): Promise<number> {
  const { rowCount } = await domain.database.pool.query(pauseLineSql, [host, merchantId, pausedAtOnce]);
  return rowCount ?? 0;
}

/**
 * Puts what merchants' pauses kept into the lines at its hosts, once the pause is over: the longest due first, at most `limit`. So a pause ends by one
 * flag, whatever dies meanwhile, and a large backlog drains at the pace of its own host. Gives how many there were.
 */
export async function releaseResumed(domain: DatabaseAccess, limit: number): Promise<number> {
  const { rowCount } = await domain.database.pool.query(releaseResumedSql, [limit]);
  return rowCount ?? 0;
}

/**
 * Puts those back on the schedule that wait for an older notification of their order although it was settled: a worker of an older release
 * releases nobody. Looks at `limit` of them that are due after `after`, in Unix ms, and at those of the same millisecond as the last; gives where the next look goes on, null at the end.
 */
export async function releaseStranded(domain: DatabaseAccess, after: number, limit: number): Promise<number | null> {
  const { rows } = await domain.database.pool.query<{ last: number | null; seen: number }>(releaseForgottenSql, [
    after,
    limit,
  ]);
  const { last = null, seen = 0 } = rows[0] ?? {};
  return seen >= limit ? last : null;
}

const pausedAtOnce = 5_000;
