import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { serviceKeyId } from '@tidegate/signature';
import type pg from 'pg';
import type { Vault } from '../database/vault.ts';
import { currentServiceKey, insertServiceKey, merchantsWithoutServiceKey } from './statements.ts';

export interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/**
 * Generates a key pair for the service. It takes about 100 ms in the thread pool, so call it before any lock is acquired.
 */
export async function generateServiceKey(): Promise<KeyPair> {
  return promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
}

/** The context in which a merchant's service key is sealed. Its id begins with the merchant number. */
export const sealContext = (keyId: string): string => `merchant service key ${keyId}`;

/** A new key as stored: its id, its public key as PEM, its sealed private key. */
export function serviceKeyOf(
  vault: Vault,
  merchantId: string,
  { publicKey, privateKey }: KeyPair,
): { keyId: string; publicKeyPem: string; privateKey: Buffer } {
  const keyId = serviceKeyId(merchantId, publicKey);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    keyId,
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: vault.seal(pem, sealContext(keyId)),
  };
}

/** Makes a merchant's service key if it has none. While the common key signs, the new one waits for its end. */
export async function ensureServiceKey(pool: pg.Pool, vault: Vault, merchantId: string): Promise<void> {
  const { rows } = await pool.query(currentServiceKey, [merchantId]);
  if (rows.length === 0) {
    const { keyId, publicKeyPem, privateKey } = serviceKeyOf(vault, merchantId, await generateServiceKey());
    await pool.query(insertServiceKey, [merchantId, keyId, publicKeyPem, privateKey]);
  }
}

/** Number of keys made at the same time: as many as the thread pool has threads. */
const atOnce = 4;

/** Makes the missing service keys of all merchants. `onProgress` receives how many were made and how many are left. */
export async function ensureServiceKeys(
  pool: pg.Pool,
  vault: Vault,
  onProgress: (count: number, left: number) => void = () => undefined,
): Promise<number> {
  const { rows } = await pool.query<{ merchantId: string }>(merchantsWithoutServiceKey);
  let count = 0;
  for (let next = 0; next < rows.length; next += atOnce) {
    const some = rows.slice(next, next + atOnce);
    await Promise.all(some.map(({ merchantId }) => ensureServiceKey(pool, vault, merchantId)));
    count += some.length;
    if (count % 100 === 0) onProgress(count, rows.length - count);
  }
  return count;
}
