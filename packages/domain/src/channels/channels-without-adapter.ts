import type { DatabaseAccess } from '../database/database.ts';
import type { ChannelAccess } from './channel-access.ts';
import { enabledChannelsSql } from './queries.ts';

/** Adapters that call no channel API: the task market, and funds that operators confirm. */
export const withoutApi = ['market', 'manual'];

/** Whether this adapter can be used here. Production does not install the sandbox's adapter. */
export function canUse({ adapters }: Pick<ChannelAccess, 'adapters'>, adapter: string): boolean {
  return withoutApi.includes(adapter) || Object.hasOwn(adapters, adapter);
}

/** The ids of enabled channels whose adapter is not installed here. */
export async function channelsWithoutAdapter(
  domain: ChannelAccess & DatabaseAccess,
): Promise<{ channelId: string; adapter: string }[]> {
  const { rows } = await domain.database.pool.query<{ channelId: string; adapter: string }>(enabledChannelsSql);
  return rows.filter(({ adapter }) => !canUse(domain, adapter));
}
