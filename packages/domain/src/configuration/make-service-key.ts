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

/** A key pair for the service to sign with. Takes some 100 ms in the thread pool, so it is made before anything is locked. */
export async function generateServiceKey(): Promise<KeyPair> {
  return promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
}

/** What a merchant's service key is called when it is sealed: its id begins with the merchant number. */
export const sealContext = (keyId: string): string => `merchant service key ${keyId}`;

/** A new key as it is kept: its id, its public key as PEM, its private key sealed. */
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

/** Makes the merchant's service key unless it has one. While the common key signs, the new one waits for its end. */
export async function ensureServiceKey(pool: pg.Pool, vault: Vault, merchantId: string): Promise<void> {
  const { rows } = await pool.query(currentServiceKey, [merchantId]);
  if (rows.length === 0) {
    const { keyId, publicKeyPem, privateKey } = serviceKeyOf(vault, merchantId, await generateServiceKey());
    await pool.query(insertServiceKey, [merchantId, keyId, publicKeyPem, privateKey]);
  }
}

/** Merchants whose keys are made at once: as many as the thread pool has threads. */
const atOnce = 4;

/** Makes the service keys of all merchants that have none; `onProgress` is called with how many were made and how many are left. */
export async function ensureServiceKeys(
  pool: pg.Pool,
  vault: Vault,
  onProgress: (made: number, left: number) => void = () => undefined,
): Promise<number> {
  const { rows } = await pool.query<{ merchantId: string }>(merchantsWithoutServiceKey);
  let made = 0;
  for (let next = 0; next < rows.length; next += atOnce) {
    const some = rows.slice(next, next + atOnce);
    await Promise.all(some.map(({ merchantId }) => ensureServiceKey(pool, vault, merchantId)));
    made += some.length;
    if (made % 100 === 0) onProgress(made, rows.length - made);
  }
  return made;
}
