import type { DatabaseAccess } from '../database/database.ts';
import type { ChannelAccess } from './channel-access.ts';
import { enabledChannelsSql } from './queries.ts';

/** When a credential of a channel expires, in Unix milliseconds. Contains no secret. */
export interface CredentialExpiry {
  channelId: string;
  credential: string;
  at: number;
}

/**
 * When certificates among the credentials of enabled channels expire. The certificates themselves say so: no channel is
 * called.
 */
export async function readCredentialExpiries(domain: ChannelAccess & DatabaseAccess): Promise<CredentialExpiry[]> {
  const { rows } = await domain.database.pool.query<{ channelId: string }>(enabledChannelsSql);
  const found = await Promise.all(
    rows.map(async ({ channelId }) => {
      const expiries = (await domain.channels(channelId))?.channel.expiries ?? [];
      return expiries.map((expiry) => ({ channelId, ...expiry }));
    }),
  );
  return found.flat();
}
