import type { Within } from '../ledger/index.ts';

/**
 * Lets new orders through a channel, or no more; what was sent through it is followed to its end either way. Gives how it was before,
 * and its adapter; null if there is no such channel.
 */
export async function setChannelEnabled(
  within: Within,
  channelId: string,
  enabled: boolean,
): Promise<{ enabled: boolean; adapter: string } | null> {
  const { rows } = await within.database.pool.query<{ enabled: boolean; adapter: string }>(
    `with old as (select enabled from channel where channel_id = $1)
     update channel set enabled = $2 where channel_id = $1 returning (select enabled from old), adapter`,
    [channelId, enabled],
  );
  return rows[0] ?? null;
}
