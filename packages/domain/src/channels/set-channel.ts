import { ChannelRow } from '../database/entities/channel.ts';
import type { Within } from '../ledger/index.ts';

export interface ChannelInput {
  channelId: string;
  /** The name of an installed adapter. */
  adapter: string;
  baseUrl: string;
  /** Secrets of the channel; sealed in the database. */
  credentials: Record<string, string>;
  payinExpirySeconds?: number;
}

/** Creates or changes a channel. A disabled one stays disabled. Returns the channel. */
export async function setChannel(within: Within, channel: ChannelInput): Promise<object> {
  const { channelId, adapter, baseUrl, credentials, payinExpirySeconds = 1800 } = channel;
  const em = within.database.unitOfWork();
  const sealed = within.vault.seal(JSON.stringify(credentials), `channel ${channelId}`);
  const settings = { adapter, baseUrl, credentials: sealed, payinExpirySeconds };
  const found = await em.findOne(ChannelRow, channelId);
  const set = found ? em.assign(found, settings) : em.create(ChannelRow, { channelId, ...settings });
  await em.persist(set).flush();
  return set;
}
