import type { DatabaseAccess } from '../store/database.ts';
import { ChannelRow } from '../store/entities/channel.ts';
import type { SmallTable } from './beside.ts';
import { channelsInScope } from './channels-in-scope.ts';
import { loadFew } from './load-few.ts';
import { type ChannelRecord, channelSecrets } from './page-channels.ts';
import { type Scope, unrestricted } from './scope.ts';

const channels: SmallTable = {
  entity: ChannelRow,
  omitted: channelSecrets,
  key: ['channelId', 'channel_id'],
  isOfMerchant: false,
};

/** Channels by id, without their credentials: null for one that no route within scope leads to. */
export async function loadChannels({ database }: DatabaseAccess, scope: Scope, ids: readonly string[]) {
  const [found, seen] = await Promise.all([
    loadFew<ChannelRecord>(database, channels, ids, unrestricted),
    channelsInScope(database, scope, ids),
  ]);
  return found.map((channel) => (channel && seen.has(channel.channelId) ? channel : null));
}
