import type { Within } from '../ledger/index.ts';

export interface ChannelInput {
  channelId: string;
  /** The name of an installed adapter. */
  adapter: string;
  baseUrl: string;
  /** Secrets of the channel; sealed in the database. */
  credentials: Record<string, string>;
  payinExpirySeconds?: number;
}

type PlainChannel = Omit<ChannelInput, 'channelId' | 'credentials'>;

/** Sets up a channel, or changes it. Gives what it was before, without its credentials; null for a new one. */
export async function setChannel(within: Within, channel: ChannelInput): Promise<PlainChannel | null> {
  const { rows } = await within.database.pool.query<{ before: PlainChannel | null }>(
    `with old as (select adapter, base_url as "baseUrl", payin_expiry_seconds as "payinExpirySeconds" from channel where channel_id = $1)
     insert into channel (channel_id, adapter, base_url, credentials, payin_expiry_seconds) values ($1, $2, $3, $4, $5)
     on conflict (channel_id) do update set adapter = excluded.adapter, base_url = excluded.base_url, credentials = excluded.credentials,
       payin_expiry_seconds = excluded.payin_expiry_seconds
     returning (select row_to_json(old) from old) as before`,
    [
      channel.channelId,
      channel.adapter,
      channel.baseUrl,
      within.vault.seal(JSON.stringify(channel.credentials), `channel ${channel.channelId}`),
      channel.payinExpirySeconds ?? 1800,
    ],
  );
  return rows[0]?.before ?? null;
}
