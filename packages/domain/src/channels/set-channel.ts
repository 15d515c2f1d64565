import type { ChannelMode, DeclaredMode, SeenMode } from '../core/environment.ts';
import { ChannelRow } from '../database/entities/channel.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import type { ChannelAdapters } from './channel-adapter.ts';
import { type SealedCredential, sealCredentials } from './credentials.ts';
import { credentialNamesOf } from './find-channel.ts';
import { removeCredentialsSql, writeCredentialsSql } from './queries.ts';

export interface ChannelInput {
  channelId: string;
  /** The name of an installed adapter. */
  adapter: string;
  /** Left out: unchanged, empty for a new channel. */
  baseUrl?: string | undefined;
  /** Secrets of the channel, or such that are sealed already. */
  credentials?: Record<string, string> | undefined;
  /** Names of secrets to remove. */
  removedCredentials?: readonly string[] | undefined;
  /** Secrets that are not named stay unchanged. If this is left out, they are removed. */
  keepsCredentials?: boolean;
  /** Left out: unchanged, 1800 for a new channel. */
  payinExpirySeconds?: number | undefined;
  /** What its adapter states or operators declare. Left out: not known; the adapter is asked when it is opened. */
  mode?: Exclude<ChannelMode, 'mixed'> | undefined;
  /** What its adapter saw of key and host. */
  seen?: SeenMode | undefined;
  /** What two operators declare about an account whose mode cannot be seen. */
  declaration?: ModeDeclaration | undefined;
  /** Whether an earlier declaration is about the same account. */
  keepsDeclaration?: boolean;
}

/** What operators declared about an account, and how they know it. */
export interface ModeDeclaration {
  mode: DeclaredMode;
  by: string;
  approver: string | null;
  evidence: string;
}

/** The channel as an entity, and the names of its secrets before and now. */
export interface SetChannel {
  entity: { baseUrl: string; payinExpirySeconds: number };
  namesBefore: string[];
  names: string[];
}

/** A channel about which nothing is declared. */
export const undeclared = {
  declaredMode: null,
  declaredBy: null,
  declaredApprover: null,
  declaredAt: null,
  declaredEvidence: null,
} as const;

function declaredNow({ mode, by, approver, evidence }: ModeDeclaration, now: string) {
  return {
    declaredMode: mode,
    declaredBy: by,
    declaredApprover: approver,
    declaredAt: new Date(now),
    declaredEvidence: evidence,
  };
}

/** The same credentials, where an empty text removes one instead of setting it. */
export function readEntered<Entered extends Pick<ChannelInput, 'credentials' | 'removedCredentials'>>(
  entered: Entered,
): Entered {
  const given = Object.entries(entered.credentials ?? {});
  const empty = given.filter(([, value]) => value === '').map(([name]) => name);
  if (empty.length === 0) return entered;
  return {
    ...entered,
    credentials: Object.fromEntries(given.filter(([, value]) => value !== '')),
    removedCredentials: [...(entered.removedCredentials ?? []), ...empty],
  };
}

type Access = ChangeTransaction & { adapters: ChannelAdapters };

/**
 * Creates or changes a channel. A disabled one stays disabled. Its credentials are sealed for their purposes, one row
 * each. This process need not be able to open them.
 */
export async function setChannel(within: Access, input: ChannelInput): Promise<SetChannel> {
  const channel = readEntered(input);
  const { channelId, adapter, baseUrl, credentials = {}, payinExpirySeconds } = channel;
  const em = within.database.unitOfWork();
  const found = await em.findOne(ChannelRow, channelId);
  const namesBefore = found ? await credentialNamesOf(within, channelId) : [];
  const { removedCredentials = [], keepsCredentials = false } = channel;
  const kept = namesBefore.filter((name) => keepsCredentials && !removedCredentials.includes(name));
  const names = [...new Set([...kept, ...Object.keys(credentials)])];
  const known = found?.credentialsSetAt ?? {};
  const now = (await databaseNow(em)).toISOString();
  const times = names.map((name) => [name, name in credentials ? now : known[name]] as const);
  const isSecretChanged = !found || Object.keys(credentials).length > 0 || kept.length < namesBefore.length;
  const { mode = null, seen = null, declaration, keepsDeclaration = false } = channel;
  const settings = {
    adapter,
    mode,
    seen,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(payinExpirySeconds !== undefined && { payinExpirySeconds }),
    ...(isSecretChanged && {
      credentialsSetAt: Object.fromEntries(times.filter(([, time]) => time !== undefined)) as Record<string, string>,
    }),
    ...(declaration ? declaredNow(declaration, now) : !keepsDeclaration && undeclared),
  };
  const entity = found
    ? em.assign(found, settings)
    : em.create(ChannelRow, { channelId, baseUrl: '', payinExpirySeconds: 1800, credentialsSetAt: {}, ...settings });
  await em.persist(entity).flush();
  if (isSecretChanged)
    await writeCredentials(within, channelId, { kept, sealed: sealCredentials(within, channel, credentials) });
  return { entity, namesBefore, names };
}

/** Replaces the rows of a channel's credentials, except those that are kept. */
async function writeCredentials(
  { database }: Pick<ChangeTransaction, 'database'>,
  channelId: string,
  { kept, sealed }: { kept: readonly string[]; sealed: Record<string, SealedCredential> },
): Promise<void> {
  const stay = kept.filter((name) => !(name in sealed));
  await database.pool.query(removeCredentialsSql, [channelId, stay]);
  for (const [name, { payin = null, callback = null, payout = null, statement = null }] of Object.entries(sealed))
    await database.pool.query(writeCredentialsSql, [channelId, name, payin, callback, payout, statement]);
}
