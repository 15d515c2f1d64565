import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { openBriefCache } from '../configuration/index.ts';
import { openLookUp } from '../database/look-up.ts';
import type { Vault } from '../database/vault.ts';
import { channelId as channelIdSchema } from '../lists/filter-parts.ts';
import type { Channel, ChannelSettings } from './channel.ts';
import type { ChannelAdapter, ChannelAdapters } from './channel-adapter.ts';
import { openChannelMemory } from './channel-memory.ts';
import { credentialsOf } from './credentials.ts';
import { configuredChannels } from './statements.ts';
import { unusableChannel } from './unusable-channel.ts';

/** A channel that can be called, with its configuration. */
export interface ConfiguredChannel {
  channelId: string;
  adapter: string;
  channel: Channel;
  payinExpirySeconds: number;
}

/**
 * A channel by its id, also a disabled one, because its open orders are polled to their end. Null: there is none, or
 * its adapter is not installed.
 */
export type Channels = (channelId: string) => Promise<ConfiguredChannel | null>;

const keptFor = 1_000;
/** The most channels in memory, far more than a platform has. */
const capacity = 1_000;

interface Row {
  channelId: string;
  adapter: string;
  baseUrl: string;
  credentials: Buffer | null;
  payinExpirySeconds: number;
}

/** An adapter is made once for each configuration, so that its connections are reused. */
export function openChannels(pool: pg.Pool, vault: Vault, adapters: ChannelAdapters): Channels {
  const made = new Map<string, { row: Row; configured: ConfiguredChannel | null }>();

  // The channel id of a callback's URL comes from its sender, so it is untrusted.
  const read = openLookUp(async (channelIds) => {
    const { rows } = await pool.query<Row>({ ...configuredChannels, values: [channelIds] });
    return new Map(rows.map((row) => [row.channelId, row]));
  });

  const load = async (channelId: string): Promise<ConfiguredChannel | null> => {
    const row = await read(channelId);
    if (!row) return null;
    const before = made.get(channelId);
    // Compared by content, because two changes can have the same time.
    if (before && isDeepStrictEqual(before.row, row)) return before.configured;
    const memory = openChannelMemory(pool, channelId);
    const channel = openChannel(adapters[row.adapter], () => ({
      channelId,
      baseUrl: row.baseUrl,
      memory,
      credentials: credentialsOf({ vault }, row),
    }));
    const { adapter, payinExpirySeconds } = row;
    const configured = channel ? { channelId, adapter, channel, payinExpirySeconds } : null;
    made.set(channelId, { row, configured });
    return configured;
  };

  const { get } = openBriefCache({ read: load, keepMs: keptFor, capacity });
  // A name that no channel can have is not looked up: the database would refuse U+0000, and with it the whole batch.
  return async (id) => (channelIdSchema.safeParse(id).success ? get(id) : null);
}

function openChannel(adapter: ChannelAdapter | undefined, settings: () => ChannelSettings): Channel | null {
  try {
    return adapter?.open(settings()) ?? null;
  } catch (error) {
    return unusableChannel(error instanceof Error ? error.message : 'unknown error');
  }
}
