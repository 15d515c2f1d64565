import { type ChannelMode, channelModes } from '../core/environment.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { type CredentialPurpose, credentialPurposes } from '../database/keys/purposes.ts';
import type { VaultAccess } from '../database/vault.ts';
import type { ChannelAdapters } from './channel-adapter.ts';
import { channelCredentialsSql } from './queries.ts';

/** A credential, sealed for each of its purposes. */
export type SealedCredential = Partial<Record<CredentialPurpose, Buffer>>;

/** The credentials of a channel as stored. */
export interface StoredCredentials {
  channelId: string;
  /** By name: the texts that this process can open, in hex. Null: none. */
  boxes?: Readonly<Record<string, Partial<Record<CredentialPurpose, string | null>>>> | null;
}

export const placeOf = {
  payin: 'payinCredential',
  callback: 'callbackCredential',
  payout: 'payoutCredential',
  statement: 'statementCredential',
} as const satisfies Record<CredentialPurpose, string>;

const idOf = (channelId: string, name: string): string => `${channelId}/${name}`;

/** Opens the credentials of a channel that this process has keys for. Throws if one cannot be opened with them. */
export function credentialsOf({ vault }: VaultAccess, stored: StoredCredentials): Record<string, string> {
  const { channelId, boxes } = stored;
  const ours = credentialPurposes.filter((purpose) => vault.canOpen(purpose));
  const opened = Object.entries(boxes ?? {}).flatMap(([name, sealed]) => {
    const purpose = ours.find((one) => typeof sealed[one] === 'string');
    if (purpose === undefined) return [];
    const box = Buffer.from(sealed[purpose] ?? '', 'hex');
    return [[name, vault.open(placeOf[purpose], idOf(channelId, name), box)] as const];
  });
  return Object.fromEntries(opened);
}

/** The same; null if one cannot be opened, for example after its key was dropped. */
export function readableCredentials(access: VaultAccess, stored: StoredCredentials): Record<string, string> | null {
  try {
    return credentialsOf(access, stored);
  } catch {
    return null;
  }
}

/** The names of all its credentials, also of those that cannot be opened. */
export function storedNames({ boxes }: StoredCredentials): string[] {
  return Object.keys(boxes ?? {});
}

/**
 * Seals the credentials for their purposes, which the adapter declares. What is sealed already stays as it is. Throws for
 * a credential that no installed adapter declares: no process could open it.
 */
export function sealCredentials(
  { vault, adapters }: VaultAccess & { adapters: ChannelAdapters },
  { channelId, adapter }: { channelId: string; adapter: string },
  credentials: Readonly<Record<string, string>>,
): Record<string, SealedCredential> {
  const sealed = Object.entries(credentials).map(([name, value]) => {
    const before = unpacked(value);
    if (before) return [name, before] as const;
    const purposes = adapters[adapter]?.credentials.find((field) => field.name === name)?.purposes;
    if (!purposes) throw new Error(`the adapter ${adapter} declares no purpose of the credential ${name}`);
    const boxes = purposes.map((purpose) => [purpose, vault.seal(placeOf[purpose], idOf(channelId, name), value)]);
    return [name, Object.fromEntries(boxes) as SealedCredential] as const;
  });
  return Object.fromEntries(sealed);
}

/** Packed credentials with the current keys: those that wait in an approval. Throws for a text that is not packed. */
export function sealAgain(
  { vault }: VaultAccess,
  channelId: string,
  credentials: Readonly<Record<string, string>>,
): Record<string, string> {
  const again = Object.entries(credentials).map(([name, value]) => {
    const [mode, sealed] = [modeOfPacked(value), unpacked(value)];
    if (mode === null || sealed === null) throw new Error(`the credential ${name} is not packed`);
    const id = idOf(channelId, name);
    const resealed = Object.entries(sealed).map(([purpose, box]) => {
      const place = placeOf[purpose as CredentialPurpose];
      return [purpose, vault.seal(place, id, vault.open(place, id, box))];
    });
    return [name, packed(Object.fromEntries(resealed) as SealedCredential, mode)];
  });
  return Object.fromEntries(again);
}

const packedPrefix = 'sealed:';

/**
 * A sealed credential as text, as it waits in the input of an approval. `mode`: what the adapter saw of the whole account
 * while its credentials could be read.
 */
export function packed(sealed: SealedCredential, mode: ChannelMode): string {
  const parts = Object.entries(sealed).map(([purpose, box]) => `${purpose}=${box.toString('base64url')}`);
  return `${packedPrefix}${mode}:${parts.join(',')}`;
}

/** The mode that was seen when a packed credential was entered; null for other texts. */
export function modeOfPacked(text: string): ChannelMode | null {
  return isPacked(text) ? (channelModes.find((mode) => text.startsWith(`${packedPrefix}${mode}:`)) ?? null) : null;
}

/** Whether the text is a packed credential. Its value cannot be checked any more. */
export function isPacked(text: string): boolean {
  return unpacked(text) !== null;
}

function unpacked(text: string): SealedCredential | null {
  const mode = channelModes.find((one) => text.startsWith(`${packedPrefix}${one}:`));
  if (mode === undefined) return null;
  const parts = text
    .slice(packedPrefix.length + mode.length + 1)
    .split(',')
    .map((part) => part.split('='));
  const isRight = parts.every(
    ([purpose, box, more]) =>
      credentialPurposes.some((one) => one === purpose) && more === undefined && /^[A-Za-z0-9_-]{90,}$/.test(box ?? ''),
  );
  if (!isRight) return null;
  return Object.fromEntries(parts.map(([purpose, box]) => [purpose, Buffer.from(box ?? '', 'base64url')]));
}

/** A secret of a channel by its name. `setAt` in Unix ms. */
export interface CredentialRecord {
  name: string;
  setAt: number;
}

/** Names of the secrets that are set for these channels, and the time of their last change. Their values are not opened. */
export async function loadCredentialNames(
  domain: DatabaseAccess,
  channelIds: readonly string[],
): Promise<CredentialRecord[][]> {
  const { rows } = await domain.database.pool.query<NamedCredentials & { setAt: Record<string, string> }>(
    channelCredentialsSql,
    [channelIds],
  );
  const byId = new Map(rows.map((row) => [row.channelId, row]));
  return channelIds.map((channelId) => {
    const row = byId.get(channelId);
    return (row?.names ?? []).map((name) => ({ name, setAt: Date.parse(row?.setAt[name] ?? '') }));
  });
}

/** The credentials of a channel, by name. */
export interface NamedCredentials {
  channelId: string;
  names: string[] | null;
}
