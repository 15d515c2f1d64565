import { ChannelRow } from '../database/entities/channel.ts';
import type { Within } from '../ledger/index.ts';

/** A channel by id, a disabled one too; null where there is none. */
export function findChannel(within: Within, channelId: string): Promise<object | null> {
  return within.database.unitOfWork().findOne(ChannelRow, channelId);
}
