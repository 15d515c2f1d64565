import type { Domain } from './domain.ts';

export interface ChannelInput {
  channelId: string;
  /** The name of an installed adapter. */
  adapter: string;
  baseUrl: string;
  /** Secrets of the channel; sealed in the database. */
  credentials: Record<string, string>;
  payinExpirySeconds?: number;
}

/** Sets up a channel, or changes it. */
export async function setChannel(domain: Domain, channel: ChannelInput): Promise<void> {
  await domain.database.pool.query(
    `insert into channel (channel_id, adapter, base_url, credentials, payin_expiry_seconds) values ($1, $2, $3, $4, $5)
     on conflict (channel_id) do update set adapter = excluded.adapter, base_url = excluded.base_url, credentials = excluded.credentials,
       payin_expiry_seconds = excluded.payin_expiry_seconds`,
    [
      channel.channelId,
      channel.adapter,
      channel.baseUrl,
      domain.vault.seal(JSON.stringify(channel.credentials), `channel ${channel.channelId}`),
      channel.payinExpirySeconds ?? 1800,
    ],
  );
}
