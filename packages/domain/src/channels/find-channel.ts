import { ChannelRow } from '../database/entities/channel.ts';
import type { Within } from '../ledger/index.ts';

/** A channel by its id, also a disabled one; null if there is none. */
export function findChannel(within: Within, channelId: string): Promise<object | null> {
  return within.database.unitOfWork().findOne(ChannelRow, channelId);
}
