import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { serviceKeyId } from '@tidegate/signature';
import type { Vault } from '../database/vault.ts';

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
    privateKey: vault.seal('serviceKey', keyId, pem),
  };
}
