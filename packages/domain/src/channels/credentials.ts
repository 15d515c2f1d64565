import type { DatabaseAccess } from '../database/database.ts';
import type { VaultAccess } from '../database/vault.ts';
import { channelCredentialsSql } from './statements.ts';

interface Sealed {
  channelId: string;
  credentials?: Uint8Array | null | undefined;
}

/** Opens the secrets of a channel. */
export function credentialsOf({ vault }: VaultAccess, { channelId, credentials }: Sealed): Record<string, string> {
  return credentials ? JSON.parse(vault.open(credentials, `channel ${channelId}`)) : {};
}

/** The same; null if they cannot be opened, e.g. since TIDEGATE_SECRET was changed. */
export function readableCredentials(access: VaultAccess, sealed: Sealed): Record<string, string> | null {
  try {
    return credentialsOf(access, sealed);
  } catch {
    return null;
  }
}

/** A secret of a channel by its name. `setAt` in Unix ms; null: not known. */
export interface CredentialRecord {
  name: string;
  setAt: number | null;
}

/** Names of the secrets that are set for these channels, and the time of their last change. Their values never leave this function. */
export async function loadCredentialNames(
  domain: DatabaseAccess & VaultAccess,
  channelIds: readonly string[],
): Promise<CredentialRecord[][]> {
  const { rows } = await domain.database.pool.query<Sealed & { setAt: Record<string, string> | null }>(
    channelCredentialsSql,
    [channelIds],
  );
  const byId = new Map(rows.map((row) => [row.channelId, row]));
  return channelIds.map((channelId) => {
    const row = byId.get(channelId);
    const names = row ? Object.keys(readableCredentials(domain, row) ?? {}).sort() : [];
    return names.map((name) => {
      const setAt = row?.setAt?.[name];
      return { name, setAt: setAt === undefined ? null : Date.parse(setAt) };
    });
  });
}
