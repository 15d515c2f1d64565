import { ChannelRow } from '../database/entities/channel.ts';
import type { ChangeTransaction } from '../ledger/index.ts';

/**
 * Enables or disables a channel for new orders. Open orders continue in both cases. Returns the channel, or null if
 * there is none.
 */
export async function setChannelEnabled(
  within: ChangeTransaction,
  channelId: string,
  enabled: boolean,
): Promise<{ adapter: string } | null> {
  const em = within.database.unitOfWork();
  const channel = await em.findOne(ChannelRow, channelId);
  if (!channel) return null;
  channel.enabled = enabled;
  await em.flush();
  return channel;
}
