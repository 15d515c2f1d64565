import type { ChannelAccess } from '../../channels/index.ts';
import type { TimeScale } from '../../core/schedule.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { runExclusively } from '../../database/run-exclusively.ts';
import { requireVisibleTransactions } from '../../database/session-visibility.ts';
import { createdHorizonSql } from '../search/statements.ts';
import { channelIdsSql, endedRangeSql, leaveOutSql, watchedUntilSql, watchSql } from './statements.ts';

/** How many transitions one call reads at most. */
const most = 20_000;
const hourMs = 60 * 60_000;

/**
 * Takes the orders that ended since the last call into the watch, as their channels declare (`Channel.watchesEnded`).
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

interface DeclaredWatch {
  channelId: string;
  kind: string;
  isPaid: boolean;
  waitMs: number;
}

async function declaredWatches(domain: DatabaseAccess & ChannelAccess & TimeScale): Promise<DeclaredWatch[]> {
  const { rows } = await domain.database.pool.query<{ channelId: string }>(channelIdsSql);
  const found = await Promise.all(rows.map(({ channelId }) => domain.channels(channelId)));
  return found.flatMap((configured) =>
    (configured?.channel.watchesEnded ?? []).flatMap(({ kind, ended, afterHours: [first] }) =>
      configured && first !== undefined
        ? [
            {
              channelId: configured.channelId,
              kind,
              isPaid: ended === 'paid',
              waitMs: first * hourMs * domain.scheduleScale,
            },
          ]
        : [],
    ),
  );
}
