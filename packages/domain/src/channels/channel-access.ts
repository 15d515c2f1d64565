import type { BlockList } from 'node:net';
import type { CallLog } from './call-log.ts';
import type { CallbackQueries } from './callback-queries.ts';
import type { ChannelAdapters } from './channel-adapter.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { RoutingAccess } from './channel-routing.ts';
import type { ChannelSlots } from './channel-slots.ts';
import type { Channels } from './channels.ts';

export interface PublicAddress {
  /** Public URL of the REST adapter, for merchants, payers and channels. */
  publicBaseUrl: string;
}

/** For code that calls channels, or checks which may be called. */
export interface ChannelAccess extends PublicAddress, RoutingAccess {
  channels: Channels;
  /** The installed adapters. */
  adapters: ChannelAdapters;
  /** Channels that do not answer. */
  channelHealth: ChannelHealth;
  /** For payins that are submitted within the merchant's request. */
  createSlots: ChannelSlots;
  /** For callbacks that ask for a query. */
  callbackQueries: CallbackQueries;
  callLog: CallLog;
  /** Private networks in which channels are allowed. */
  channelNetworks: BlockList;
}
