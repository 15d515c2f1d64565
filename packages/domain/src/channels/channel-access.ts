import type { BlockList } from 'node:net';
import type { CallLog } from './call-log.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { ChannelSlots } from './channel-slots.ts';
import type { Channels } from './channels.ts';

export interface PublicAddress {
  /** Where merchants, payers and channels reach the REST adapter. */
  publicBaseUrl: string;
}

/** For what calls channels, or says which may be called. */
export interface ChannelAccess extends PublicAddress {
  channels: Channels;
  /** The channel adapters that are installed. */
  adapterNames: readonly string[];
  /** Which channels hang. */
  channelHealth: ChannelHealth;
  /** For payins that are submitted within the merchant's request. */
  createSlots: ChannelSlots;
  callLog: CallLog;
  /** Networks beyond the public ones where channels may be. */
  channelNetworks: BlockList;
}
