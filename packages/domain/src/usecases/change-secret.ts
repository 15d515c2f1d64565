import type { Decision } from '../core/operator.ts';
import type { Outcome } from '../core/rejection.ts';
import { openVault, type Vault } from '../store/vault.ts';
import { changeConfiguration, platformTenant, type Within } from './change-configuration.ts';
import type { Domain } from './domain.ts';

export interface Resealed {
  serviceKeys: number;
  channels: number;
}

/**
 * Seals all that lies sealed in the database, the service's signing keys and the channels' credentials, with a new secret (64 hexadecimal
 * digits), in one transaction. No process may run meanwhile: with the old secret none can open them any more. Pages of open payins have new addresses.
 */
export function changeSecret(domain: Domain, secret: string, by: Decision): Promise<Outcome<Resealed>> {
  const vault = openVault(secret);
  return changeConfiguration(domain, { tenant: platformTenant, change: 'changeSecret' }, by, async (within) => {
    const value = {
      serviceKeys: await reseal(within, vault, {
        table: 'service_key',
        id: 'key_id',
        column: 'private_key',
        context: 'service key',
      }),
      channels: await reseal(within, vault, {
        table: 'channel',
        id: 'channel_id',
        column: 'credentials',
        context: 'channel',
      }),
    };
    return { ok: true, value: { subject: 'secret', after: value, value } };
  });
}

interface Sealed {
  table: string;
  id: string;
  column: string;
  /** What the sealed text is bound to, before its id. */
  context: string;
}

async function reseal(
  { database, vault: old }: Within,
  vault: Vault,
  { table, id, column, context }: Sealed,
): Promise<number> {
  const { rows } = await database.pool.query<{ id: string; sealed: Buffer }>(
    `select ${id} as id, ${column} as sealed from ${table} where ${column} is not null for update`,
  );
  for (const { id: of, sealed } of rows) {
    const place = `${context} ${of}`;
    const anew = vault.seal(old.open(sealed, place), place);
    await database.pool.query(`update ${table} set ${column} = $2 where ${id} = $1`, [of, anew]);
  }
  return rows.length;
}
