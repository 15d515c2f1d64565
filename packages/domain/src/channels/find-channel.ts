import { ChannelRow } from '../database/entities/channel.ts';
import type { Within } from '../ledger/index.ts';
import { readableCredentials } from './credentials.ts';

/** What is known of a channel before it is changed. */
export interface KnownChannel {
  adapter: string;
  baseUrl: string;
  /** Whether its secrets can be opened, so that they can be kept. */
  isReadable: boolean;
}

/** A channel by its id, also a disabled one; null if there is none. */
export async function findChannel(within: Within, channelId: string): Promise<KnownChannel | null> {
  const found = await within.database.unitOfWork().findOne(ChannelRow, channelId);
  if (!found) return null;
  const { adapter, baseUrl } = found;
  return { adapter, baseUrl, isReadable: readableCredentials(within, found) !== null };
}
