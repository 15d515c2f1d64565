import type { DatabaseAccess } from '../database/database.ts';
import type { ChannelAccess } from './channel-access.ts';
import { enabledChannelsSql } from './queries.ts';

/** A channel that this environment must not use, and why. */
export interface ChannelProblem {
  channelId: string;
  problem: string;
}

/** The enabled channels that this environment must not use. No order goes to them, and their open orders wait. */
export async function refusedChannels(domain: ChannelAccess & DatabaseAccess): Promise<ChannelProblem[]> {
  const { rows } = await domain.database.pool.query<{ channelId: string }>(enabledChannelsSql);
  const standings = await Promise.all(rows.map(({ channelId }) => domain.channelStandings(channelId)));
  return standings.flatMap((standing) =>
    standing === null || standing.problem === null
      ? []
      : [{ channelId: standing.channelId, problem: standing.problem }],
  );
}
