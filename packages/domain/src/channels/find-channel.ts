import { type ChannelMode, type DeclaredMode, isSeenStill } from '../core/environment.ts';
import { ChannelRow } from '../database/entities/channel.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import type { NamedCredentials } from './credentials.ts';
import { channelCredentialsSql } from './queries.ts';

/** A channel before it is changed. */
export interface KnownChannel {
  adapter: string;
  baseUrl: string;
  /** The names of its credentials. Who changes a channel cannot open them. */
  credentialNames: readonly string[];
  declaredMode: DeclaredMode | null;
  /** What its adapter saw of key and host when they were entered; null: not known any more. */
  seenMode: ChannelMode | null;
}

/** A channel by its id, also a disabled one; null if there is none. */
export async function findChannel(within: ChangeTransaction, channelId: string): Promise<KnownChannel | null> {
  const found = await within.database.unitOfWork().findOne(ChannelRow, channelId);
  if (!found) return null;
  const { adapter, baseUrl, declaredMode = null, seen = null } = found;
  const credentialNames = await credentialNamesOf(within, channelId);
  const seenMode = seen && isSeenStill(seen, { adapter, baseUrl }) ? seen.mode : null;
  return { adapter, baseUrl, declaredMode, credentialNames, seenMode };
}

/** The names of a channel's credentials. */
export async function credentialNamesOf(within: ChangeTransaction, channelId: string): Promise<string[]> {
  const { rows } = await within.database.pool.query<NamedCredentials>(channelCredentialsSql, [[channelId]]);
  return rows[0]?.names ?? [];
}
