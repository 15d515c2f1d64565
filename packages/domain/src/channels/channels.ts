import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { openBriefCache } from '../configuration/index.ts';
import { openLookUp } from '../database/look-up.ts';
import type { Vault } from '../database/vault.ts';
import type { Channel, ChannelFactory } from './channel.ts';
import { configuredChannels } from './statements.ts';

/** A channel that can be called, with what is configured for it. */
export interface ConfiguredChannel {
  channelId: string;
  channel: Channel;
  payinExpirySeconds: number;
}

/** The channels by their ids, disabled ones too: what was sent through one is polled to its end. Null: there is none, or its adapter is not installed. */
export type Channels = (channelId: string) => Promise<ConfiguredChannel | null>;

const keptFor = 1_000;
/** Channels in memory: far more than there are. */
const capacity = 1_000;

interface Row {
  channelId: string;
  adapter: string;
  baseUrl: string;
  credentials: Buffer | null;
  payinExpirySeconds: number;
}

/** Adapters are made once for what is configured, so that their connections stay warm. */
export function openChannels(pool: pg.Pool, vault: Vault, adapters: Record<string, ChannelFactory>): Channels {
  const made = new Map<string, { row: Row; configured: ConfiguredChannel | null }>();

  // The caller of a callback's address chooses the channel id, so it is untrusted.
  const read = openLookUp(async (channelIds) => {
    const { rows } = await pool.query<Row>({ ...configuredChannels, values: [channelIds] });
    return new Map(rows.map((row) => [row.channelId, row]));
  });

  const load = async (channelId: string): Promise<ConfiguredChannel | null> => {
    const row = await read(channelId);
    if (!row) return null;
    const before = made.get(channelId);
    // By what it says: two changes can have the same time.
    if (before && isDeepStrictEqual(before.row, row)) return before.configured;
    const credentials = row.credentials ? JSON.parse(vault.open(row.credentials, `channel ${channelId}`)) : {};
    const channel = adapters[row.adapter]?.({ channelId, baseUrl: row.baseUrl, credentials });
    const configured = channel ? { channelId, channel, payinExpirySeconds: row.payinExpirySeconds } : null;
    made.set(channelId, { row, configured });
    return configured;
  };

  return openBriefCache({ read: load, keepMs: keptFor, capacity }).get;
}
