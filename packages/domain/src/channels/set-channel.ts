import { ChannelRow } from '../database/entities/channel.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import { readableCredentials } from './credentials.ts';

export interface ChannelInput {
  channelId: string;
  /** The name of an installed adapter. */
  adapter: string;
  /** Left out: unchanged, empty for a new channel. */
  baseUrl?: string | undefined;
  /** Secrets of the channel; sealed in the database. */
  credentials?: Record<string, string> | undefined;
  /** Names of secrets to remove. */
  removedCredentials?: readonly string[] | undefined;
  /** Secrets that are not named stay unchanged, if they can be opened. If this is left out, they are removed. */
  keepsCredentials?: boolean;
  /** Left out: unchanged, 1800 for a new channel. */
  payinExpirySeconds?: number | undefined;
}

/** The channel as an entity, and the names of its secrets before and now. */
export interface SetChannel {
  entity: { baseUrl: string; payinExpirySeconds: number };
  namesBefore: string[];
  names: string[];
}

/** Creates or changes a channel. A disabled one stays disabled. */
export async function setChannel(within: ChangeTransaction, channel: ChannelInput): Promise<SetChannel> {
  const { channelId, adapter, baseUrl, credentials = {}, payinExpirySeconds } = channel;
  const em = within.database.unitOfWork();
  const found = await em.findOne(ChannelRow, channelId);
  const before = (found && readableCredentials(within, found)) ?? {};
  const { removedCredentials = [], keepsCredentials = false } = channel;
  const isKept = ([name]: [string, string]): boolean => keepsCredentials && !removedCredentials.includes(name);
  const kept = Object.entries(before).filter(isKept);
  const after = { ...Object.fromEntries(kept), ...credentials };
  const known: Record<string, string> = found?.credentialsSetAt ?? {};
  const now = (await databaseNow(em)).toISOString();
  const times = Object.keys(after).map((name) => [name, name in credentials ? now : known[name]] as const);
  const secrets = {
    credentials: within.vault.seal(JSON.stringify(after), `channel ${channelId}`),
    credentialsSetAt: Object.fromEntries(times.filter(([, time]) => time !== undefined)) as Record<string, string>,
  };
  const isSecretChanged = !found || Object.keys(credentials).length > 0 || kept.length < Object.keys(before).length;
  const settings = {
    adapter,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(payinExpirySeconds !== undefined && { payinExpirySeconds }),
    ...(isSecretChanged && secrets),
  };
  const entity = found
    ? em.assign(found, settings)
    : em.create(ChannelRow, { channelId, baseUrl: '', payinExpirySeconds: 1800, ...settings });
  await em.persist(entity).flush();
  return { entity, namesBefore: Object.keys(before), names: Object.keys(after) };
}
