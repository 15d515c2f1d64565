import { ChannelRow } from '../database/entities/channel.ts';
import type { Within } from '../ledger/index.ts';

/**
 * Lets new orders through a channel, or no more; what was sent through it is followed to its end either way. Gives the channel; null if
 * there is no such channel.
 */
export async function setChannelEnabled(
  within: Within,
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
