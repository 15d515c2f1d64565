import type { DatabaseAccess } from '../database/database.ts';
import type { ChannelAccess } from './channel-access.ts';
import { enabledChannelsSql } from './statements.ts';

/** Carry orders without the API of a channel: the task market, and funds that operators confirm. */
export const withoutApi = ['market', 'manual'];

/** Whether orders can go through a channel of this adapter: production installs no sandbox's. */
export function canUse({ adapterNames }: Pick<ChannelAccess, 'adapterNames'>, adapter: string): boolean {
  return withoutApi.includes(adapter) || adapterNames.includes(adapter);
}

/** Channels that let new orders through although their adapter is not installed here, by their ids. */
export async function channelsWithoutAdapter(
  domain: ChannelAccess & DatabaseAccess,
): Promise<{ channelId: string; adapter: string }[]> {
  const { rows } = await domain.database.pool.query<{ channelId: string; adapter: string }>(enabledChannelsSql);
  return rows.filter(({ adapter }) => !canUse(domain, adapter));
}
