import { isDeepStrictEqual } from 'node:util';
import { openBriefCache } from '../configuration/index.ts';
import {
  type ChannelMode,
  type DeclaredMode,
  type Environment,
  isSeenStill,
  modeOfParts,
  modeThatCounts,
  problemOfMode,
  type SeenMode,
} from '../core/environment.ts';
import { credentialPurposes } from '../database/keys/purposes.ts';
import { openLookUp } from '../database/look-up.ts';
import type { Vault } from '../database/vault.ts';
import { channelId as channelIdSchema } from '../lists/filter-parts.ts';
import type { Channel, ChannelSettings } from './channel.ts';
import type { ChannelAdapter, ChannelAdapters, ChannelOffers } from './channel-adapter.ts';
import { type MemoryConnections, openChannelMemory } from './channel-memory.ts';
import { credentialsOf, readableCredentials, type StoredCredentials, storedNames } from './credentials.ts';
import { configuredChannels } from './queries.ts';
import { unusableChannel } from './unusable-channel.ts';

/** A channel that can be called, with its configuration. */
export interface ConfiguredChannel {
  channelId: string;
  adapter: string;
  channel: Channel;
  /** What it can do beside orders; nothing if this environment does not use it. */
  offers: ChannelOffers;
  payinExpirySeconds: number;
}

/**
 * A channel by its id, also a disabled one, because its open orders are polled to their end. Null: there is none, or
 * its adapter is not installed.
 */
export type Channels = (channelId: string) => Promise<ConfiguredChannel | null>;

/** The mode of a channel, and why this environment does not use it; null: it can be used. */
export interface ChannelStanding {
  channelId: string;
  mode: ChannelMode;
  problem: string | null;
  /** What the adapter sees of it here. */
  seen: SeenMode;
  problemOfPayee?: ChannelAdapter['problemOfPayee'];
}

/** The standing of a channel, also of one that calls no API. Null: there is none. */
export type ChannelStandings = (channelId: string) => Promise<ChannelStanding | null>;

export interface OpenedChannels {
  channels: Channels;
  channelStandings: ChannelStandings;
}

const keptFor = 1_000;
/** The most channels in memory, far more than a platform has. */
const capacity = 1_000;

interface Row extends StoredCredentials {
  adapter: string;
  baseUrl: string;
  seen: SeenMode | null;
  payinExpirySeconds: number;
  declaredMode: DeclaredMode | null;
}

interface Opened {
  row: Row;
  configured: ConfiguredChannel | null;
  standing: ChannelStanding;
}

/** How channels are opened in this process. */
export interface ChannelsOptions extends MemoryConnections {
  vault: Vault;
  adapters: ChannelAdapters;
  environment: Environment;
  /** Called once for each configuration of a channel that this environment must not use. */
  refused(standing: ChannelStanding): void;
}

/**
 * An adapter is made once for each configuration, so that its connections are reused. It gets the credentials
 * that this process has keys for. A channel that this environment
 * must not use becomes unusable. The others are not affected.
 */
export function openChannels(options: ChannelsOptions): OpenedChannels {
  const { pool, ledgerPool, vault, adapters, environment, refused } = options;
  const statement = configuredChannels(credentialPurposes.filter((purpose) => vault.canOpen(purpose)));
  const made = new Map<string, Opened>();

  // The channel id of a callback's URL comes from its sender, so it is untrusted.
  const read = openLookUp(async (channelIds) => {
    const { rows } = await pool.query<Row>({ ...statement, values: [channelIds] });
    return new Map(rows.map((row) => [row.channelId, row]));
  });

  const load = async (channelId: string): Promise<Opened | null> => {
    const row = await read(channelId);
    if (!row) return null;
    const before = made.get(channelId);
    // Compared by content, because two changes can have the same time.
    if (before && isDeepStrictEqual(before.row, row)) return before;
    const adapter = adapters[row.adapter];
    const seen = { mode: modeSeen(adapter, vault, row), adapter: row.adapter, baseUrl: row.baseUrl };
    const mode = modeThatCounts(seen.mode, row.declaredMode);
    const standing = {
      channelId,
      mode,
      problem: problemOfMode(environment, mode),
      seen,
      ...(adapter?.problemOfPayee && { problemOfPayee: adapter.problemOfPayee }),
    };
    if (standing.problem !== null) refused(standing);
    const memory = openChannelMemory({ pool, ledgerPool }, channelId);
    const channel = openChannel(adapter, standing, () => ({
      channelId,
      baseUrl: row.baseUrl,
      memory,
      credentials: credentialsOf({ vault }, row),
    }));
    const { payinExpirySeconds } = row;
    const isUsed = adapter !== undefined && standing.problem === null;
    const offers = isUsed ? adapter.offers(storedNames(row)) : { refunds: false, statements: [] };
    const configured = channel ? { channelId, adapter: row.adapter, channel, offers, payinExpirySeconds } : null;
    const opened = { row, configured, standing };
    made.set(channelId, opened);
    return opened;
  };

  const { get } = openBriefCache({ read: load, keepMs: keptFor, capacity });
  // A name that no channel can have is not looked up: the database would refuse U+0000, and with it the whole batch.
  const open = async (id: string) => (channelIdSchema.safeParse(id).success ? get(id) : null);
  return {
    channels: async (channelId) => (await open(channelId))?.configured ?? null,
    channelStandings: async (channelId) => (await open(channelId))?.standing ?? null,
  };
}

/**
 * What the adapter sees; `unknown` without an adapter, and for credentials that cannot be opened. A process without all
 * keys also goes by what was seen when they were entered.
 */
function modeSeen(adapter: ChannelAdapter | undefined, vault: Vault, row: Row): ChannelMode {
  const { baseUrl, seen } = row;
  const seesAll = credentialPurposes.every((purpose) => vault.canOpen(purpose));
  const credentials = readableCredentials({ vault }, row);
  const shown = adapter && credentials ? adapter.modeOf({ baseUrl, credentials }) : 'unknown';
  if (seesAll) return shown;
  return modeOfParts(shown, seen && isSeenStill(seen, row) ? seen.mode : null);
}

function openChannel(
  adapter: ChannelAdapter | undefined,
  { channelId, problem }: ChannelStanding,
  settings: () => ChannelSettings,
): Channel | null {
  if (adapter && problem !== null) return unusableChannel(`channel ${channelId} ${problem}`);
  try {
    return adapter?.open(settings()) ?? null;
  } catch (error) {
    return unusableChannel(error instanceof Error ? error.message : 'unknown error');
  }
}
