import type { BlockList } from 'node:net';
import type { Environment } from '../core/environment.ts';
import type { CallTurns } from './call-limiter.ts';
import type { CallLog } from './call-log.ts';
import type { CallbackQueries } from './callback-queries.ts';
import type { ChannelAdapters } from './channel-adapter.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { ChannelQuestions } from './channel-questions.ts';
import type { RoutingAccess } from './channel-routing.ts';
import type { ChannelSlots } from './channel-slots.ts';
import type { ChannelStandings, Channels } from './channels.ts';

export interface PublicAddress {
  /** Public URL of the REST adapter, for merchants, payers and channels. */
  publicBaseUrl: string;
}

/** For code that calls channels, or checks which may be called. */
export interface ChannelAccess extends PublicAddress, RoutingAccess {
  channels: Channels;
  /** How channels stand with the environment. */
  channelStandings: ChannelStandings;
  /** The environment of the database. */
  environment: Environment;
  /** The installed adapters. */
  adapters: ChannelAdapters;
  /** Channels that do not answer. */
  channelHealth: ChannelHealth;
  /** For payins that are submitted within the merchant's request. */
  createSlots: ChannelSlots;
  /** Turns at the accounts of channels. Null: calls have no limit. */
  callTurns: CallTurns | null;
  /** For callbacks that ask for a query. */
  callbackQueries: CallbackQueries;
  callLog: CallLog;
  /** Calls by a worker, for orders that this process has no keys for. */
  questions: ChannelQuestions;
  /** Private networks in which channels are allowed. */
  channelNetworks: BlockList;
}
