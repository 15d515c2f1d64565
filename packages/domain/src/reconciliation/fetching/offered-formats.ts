import type { ChannelAccess } from '../../channels/index.ts';

/** The formats in which statements can be fetched from a channel; empty: it offers none. */
export async function offeredFormats(
  { channels }: Pick<ChannelAccess, 'channels'>,
  channelId: string,
): Promise<readonly string[]> {
  return (await channels(channelId))?.offers.statements ?? [];
}
