import type { Domain } from './domain.ts';

/** Lets new orders through a channel, or no more; what was sent through it is followed to its end either way. False if there is none. */
export async function setChannelEnabled(domain: Domain, channelId: string, enabled: boolean): Promise<boolean> {
  const { rowCount } = await domain.database.pool.query('update channel set enabled = $2 where channel_id = $1', [
    channelId,
    enabled,
  ]);
  return rowCount === 1;
}
