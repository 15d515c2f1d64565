import type { Decision } from '../core/operator.ts';
import type { Outcome } from '../core/rejection.ts';
import { openVault, type Vault } from '../database/vault.ts';
import {
  type ChangeAccess,
  type ChangeTransaction,
  changeConfiguration,
  makeSealKey,
  platformTenant,
  sealKeyContext,
} from '../ledger/index.ts';
import { sealContext } from './make-service-key.ts';
import { dropOrderSearch, type SealedColumn, sealAgain, sealedRows } from './statements.ts';

export interface Resealed {
  /** The keys of the service, of merchants and the common one. */
  serviceKeys: number;
  channels: number;
  /** Bank accounts of merchants. */
  accounts: number;
  /** Keys that have signed the seals of past months. */
  sealKeys: number;
}

/**
 * Seals all secrets in the database again with a new key (64 hexadecimal digits), in one transaction. These are the
 * service's signing keys and the channels' credentials. No process may run meanwhile, because none can open them with
 * the old key any more. The checkout addresses of open payins change.
 * Orders are found by account and phone again once the worker has hashed them with the new key.
 */
export function changeSecret(domain: ChangeAccess, secret: string, by: Decision): Promise<Outcome<Resealed>> {
  const vault = openVault(secret);
  return changeConfiguration(domain, { tenant: platformTenant, change: 'changeSecret' }, by, async (within) => {
    const value = {
      serviceKeys: (await reseal(within, vault, commonKeys)) + (await reseal(within, vault, merchantServiceKeys)),
      channels: await reseal(within, vault, channels),
      accounts: await reseal(within, vault, accounts),
      sealKeys: await reseal(within, vault, sealKeys),
    };
    // Who had the old secret may know the old key. It verifies what it signed, and signs no later month.
    if (value.sealKeys > 0) await makeSealKey(within, vault);
    await within.database.pool.query(dropOrderSearch);
    return { ok: true, value: { subject: 'secret', after: value, value } };
  });
}

interface Sealed extends SealedColumn {
  /** The context to which the sealed text is bound. */
  contextOf(id: string): string;
}

const commonKeys: Sealed = {
  table: 'service_key',
  id: 'key_id',
  column: 'private_key',
  contextOf: (keyId) => `service key ${keyId}`,
};
const merchantServiceKeys: Sealed = {
  table: 'merchant_service_key',
  id: 'key_id',
  column: 'private_key',
  contextOf: sealContext,
};
const channels: Sealed = {
  table: 'channel',
  id: 'channel_id',
  column: 'credentials',
  contextOf: (channelId) => `channel ${channelId}`,
};

const accounts: Sealed = {
  table: 'settlement_account',
  id: 'account_id',
  column: 'sealed',
  contextOf: (accountId) => `settlement account ${accountId}`,
};

const sealKeys: Sealed = {
  table: 'seal_key',
  id: 'key_id',
  column: 'private_key',
  contextOf: sealKeyContext,
};

/** Rows per statement. */
const inOneUpdate = 1_000;

async function reseal({ database, vault: old }: ChangeTransaction, vault: Vault, sealed: Sealed): Promise<number> {
  const { contextOf } = sealed;
  const { rows } = await database.pool.query<{ id: string; sealed: Buffer }>(sealedRows(sealed));
  for (let next = 0; next < rows.length; next += inOneUpdate) {
    const some = rows.slice(next, next + inOneUpdate);
    const resealed = some.map(({ id: of, sealed }) => vault.seal(old.open(sealed, contextOf(of)), contextOf(of)));
    await database.pool.query(sealAgain(sealed), [some.map((row) => row.id), resealed]);
  }
  return rows.length;
}
