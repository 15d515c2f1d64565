import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { keyId } from '@tidegate/signature';
import type { Within } from './change-configuration.ts';

/** A key pair for the service to sign with. Takes some 100 ms, so it is made before anything is locked. */
export async function makeServiceKey(): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  return promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
}

export interface RotatedServiceKey {
  /** The key that signs from now on; every process uses it within seconds. */
  keyId: string;
  /** The keys that signed until now, and until when each stays published, in Unix ms (decisions 2.5). */
  retiring: { keyId: string; retiresAt: number }[];
}

/**
 * Puts a new signing key in the place of the service's own. The old one is no longer signed with, and stays published for
 * `overlapMs` by the database's clock, so that what it signed can be verified meanwhile.
 */
export async function rotateServiceKey(
  within: Within,
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
  overlapMs: number,
): Promise<RotatedServiceKey> {
  const { pool } = within.database;
  const { rows } = await pool.query<{ keyId: string; retiresAt: number }>(
    `update service_key set retires_at = clock_timestamp() + $1 * interval '1 ms' where retires_at is null
     returning key_id as "keyId", round(extract(epoch from retires_at) * 1000)::float8 as "retiresAt"`,
    [overlapMs],
  );
  const id = keyId(publicKey);
  const sealed = within.vault.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), `service key ${id}`);
  await pool.query('insert into service_key (key_id, public_key_pem, private_key) values ($1, $2, $3)', [
    id,
    publicKey.export({ type: 'spki', format: 'pem' }),
    sealed,
  ]);
  return { keyId: id, retiring: rows };
}
