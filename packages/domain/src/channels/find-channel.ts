import { ChannelRow } from '../database/entities/channel.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import { readableCredentials } from './credentials.ts';

/** A channel before it is changed. */
export interface KnownChannel {
  adapter: string;
  baseUrl: string;
  /** The secrets of the channel, which are never shown. Null if they cannot be decrypted: then a change cannot keep them. */
  credentials: Record<string, string> | null;
}

/** A channel by its id, also a disabled one; null if there is none. */
export async function findChannel(within: ChangeTransaction, channelId: string): Promise<KnownChannel | null> {
  const found = await within.database.unitOfWork().findOne(ChannelRow, channelId);
  if (!found) return null;
  const { adapter, baseUrl } = found;
  return { adapter, baseUrl, credentials: readableCredentials(within, found) };
}
