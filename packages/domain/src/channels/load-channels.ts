import type { DatabaseAccess } from '../database/database.ts';
import { ChannelRow } from '../database/entities/channel.ts';
import { loadFew, type SmallTable } from '../lists/load-few.ts';
import { type Scope, unrestricted } from '../lists/scope.ts';
import { channelsInScope } from './channels-in-scope.ts';
import { type ChannelRecord, channelSecrets } from './list-channels.ts';

const channels: SmallTable = {
  entity: ChannelRow,
  omitted: channelSecrets,
  key: ['channelId', 'channel_id'],
  isOfMerchant: false,
};

/** Channels by id, without their credentials. Null for a channel that no route within the scope uses. */
export async function loadChannels({ database }: DatabaseAccess, scope: Scope, ids: readonly string[]) {
  const [found, seen] = await Promise.all([
    loadFew<ChannelRecord>(database, channels, ids, unrestricted),
    channelsInScope(database, scope, ids),
  ]);
  return found.map((channel) => (channel && seen.has(channel.channelId) ? channel : null));
}
