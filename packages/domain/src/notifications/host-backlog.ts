import type { NotificationWork } from '../core/queued-work.ts';
import type { DatabaseAccess } from '../database/database.ts';
import {
  backlogsOfHostSql,
  firstOfBacklogsSql,
  nextBacklogsSql,
  pauseBacklogSql,
  releaseResumedSql,
  releaseStrandedSql,
} from './queries.ts';

/**
 * A merchant's notifications that wait for a delivery slot at one host. They are off the schedule, so they are not
 * polled, however many they are. The worker that ends an attempt at the host takes the next one, and `dispatch` visits
 * the backlogs one after another.
 */
export interface HostBacklog {
  host: string;
  merchantId: string;
}

/** Backlogs at a host that are not empty, by merchant, at most `limit`. */
export async function backlogsOfHost(domain: DatabaseAccess, host: string, limit: number): Promise<HostBacklog[]> {
  const { rows } = await domain.database.pool.query<HostBacklog>(backlogsOfHostSql, [host, limit]);
  return rows;
}

/** The position in a round through all backlogs. */
export interface BacklogRound {
  /** The last merchant that was visited; empty at the beginning. */
  afterMerchant: string;
  /** The last host that was visited, for merchants that have more. */
  afterHosts: ReadonlyMap<string, string>;
}

/**
 * The next backlogs that are not empty, about `limit`, and where the round then is. Each merchant has the same share,
 * however many hosts it has.
 */
export async function nextBacklogs(
  { database }: DatabaseAccess,
  { afterMerchant, afterHosts }: BacklogRound,
  limit: number,
): Promise<{ backlogs: HostBacklog[]; round: BacklogRound }> {
  const merchants = Math.ceil(limit / 2);
  const values = [afterMerchant, merchants, limit, [...afterHosts.keys()], [...afterHosts.values()]];
  const { rows } = await database.pool.query<{ merchantId: string; host: string | null; share: number }>(
    nextBacklogsSql,
    values,
  );
  const visited = Map.groupBy(rows, ({ merchantId }) => merchantId);
  const next = new Map(afterHosts);
  for (const [merchantId, some] of visited) {
    const { host = null, share = 0 } = some.at(-1) ?? {};
    if (host !== null && some.length === share) next.set(merchantId, host);
    else next.delete(merchantId);
  }
  const isAtEnd = visited.size < merchants;
  // Merchants without a backlog are not visited.
  if (isAtEnd && afterMerchant === '') for (const known of next.keys()) if (!visited.has(known)) next.delete(known);
  return {
    backlogs: rows.flatMap(({ merchantId, host }) => (host === null ? [] : [{ host, merchantId }])),
    round: { afterMerchant: isAtEnd ? '' : (rows.at(-1)?.merchantId ?? ''), afterHosts: next },
  };
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
 * Puts notifications back on the schedule that wait for an older one of their order, although it was settled. A
 * worker that finds them locked does not release them. Looks at `limit` of those due after `after`, in Unix ms, and at those of
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
