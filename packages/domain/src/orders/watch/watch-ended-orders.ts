import { type ChannelAccess, canUse } from '../../channels/index.ts';
import { type EndedWatch, longestWatch, watchesOfUnknown } from '../../core/ended-watch.ts';
import type { TimeScale } from '../../core/schedule.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { runExclusively } from '../../database/run-exclusively.ts';
import { requireVisibleTransactions } from '../../database/session-visibility.ts';
import { createdHorizonSql } from '../search/queries.ts';
import { channelAdaptersSql, dropOverSql, endedRangeSql, leaveOutSql, watchedUntilSql, watchSql } from './queries.ts';

/** How many transitions one call reads at most. */
const most = 20_000;
/** How many due rows of each channel one call looks at to drop those that are over. */
const maxDropped = 1_000;
const hourMs = 60 * 60_000;

/**
 * Takes the orders that ended since the last call into the watch, as their channels declare (`ChannelAdapter.watchesEnded`).
 * However an order ended, and whichever process ended it, it is found by its transition. Resolves to whether there is
 * more: then call it again. One process does it at a time.
 */
export async function watchEndedOrders(
  domain: DatabaseAccess & ChannelAccess & TimeScale,
  limit = most,
): Promise<boolean> {
  const watched = await declaredWatches(domain);
  return runExclusively(domain, 'watch', async (client) => {
    await requireVisibleTransactions(client);
    // Runs before the next statement's snapshot. Like an order, a transition is made after its transaction locked a wallet.
    const { rows } = await client.query<{ horizon: string }>(createdHorizonSql);
    const horizon = rows[0]?.horizon;
    if (watched.length === 0) {
      await client.query(leaveOutSql, [horizon]);
      return false;
    }
    const [range] = (await client.query<{ from: string; to: string; isMore: boolean }>(endedRangeSql, [horizon, limit]))
      .rows;
    if (!range) return false;
    await client.query(watchSql, [range.from, range.to, JSON.stringify(watched)]);
    await client.query(watchedUntilSql, [range.to]);
    return range.isMore;
  });
}

/**
 * Drops ended orders whose watch is over, without a query. So a backlog that a channel cannot work off stays bounded by
 * time, and no query is spent on it. Resolves to whether there may be more.
 */
export async function dropOverWatches(
  domain: DatabaseAccess & ChannelAccess & TimeScale,
  limit = maxDropped,
): Promise<boolean> {
  const channels = (await readDeclared(domain)).map(({ channelId, declared }) => ({
    channelId,
    maxMs: longestWatch(declared, domain.scheduleScale),
  }));
  if (channels.length === 0) return false;
  const values = [JSON.stringify(channels), limit];
  const { rows } = await domain.database.pool.query<{ channelId: string }>(dropOverSql, values);
  return Map.groupBy(rows, ({ channelId }) => channelId)
    .values()
    .some(({ length }) => length >= limit);
}

interface DeclaredWatch {
  channelId: string;
  kind: string;
  isPaid: boolean;
  waitMs: number;
}

async function declaredWatches(domain: DatabaseAccess & ChannelAccess & TimeScale): Promise<DeclaredWatch[]> {
  const { scheduleScale } = domain;
  return (await readDeclared(domain)).flatMap(({ channelId, declared }) =>
    declared.flatMap(({ kind, ended, afterHours: [first] }) =>
      first === undefined
        ? []
        : [{ channelId, kind, isPaid: ended === 'paid', waitMs: first * hourMs * scheduleScale }],
    ),
  );
}

/**
 * Each channel with watches, and what its adapter declares. A channel whose settings cannot be used keeps its watches.
 */
async function readDeclared(
  domain: DatabaseAccess & ChannelAccess,
): Promise<{ channelId: string; declared: readonly EndedWatch[] }[]> {
  const { rows } = await domain.database.pool.query<{ channelId: string; adapter: string }>(channelAdaptersSql);
  return rows
    .map(({ channelId, adapter }) => ({
      channelId,
      declared: canUse(domain, adapter) ? (domain.adapters[adapter]?.watchesEnded ?? []) : watchesOfUnknown,
    }))
    .filter(({ declared }) => declared.length > 0);
}
