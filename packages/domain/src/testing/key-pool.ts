import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

// To make an RSA key pair takes as long as several tests. So tests use these stored pairs, which protect nothing.

const kept = JSON.parse(readFileSync(new URL('key-pool.json', import.meta.url), 'utf8')) as string[];
let count = 0;

export interface TestKeyPair {
  privateKey: KeyObject;
  publicKey: KeyObject;
  privateKeyPem: string;
  publicKeyPem: string;
}

/** An RSA pair of 2048 bits. The last 200 calls in this process had other pairs. */
export function takeKeyPair(): TestKeyPair {
  const der = kept[count % kept.length] ?? '';
  count += 1;
  return pairOf(der);
}

/**
 * A pair that no other call in this process gets. For fixtures: files that share a process share them, so a later file
 * could take their pair for a stranger's.
 */
export function keepKeyPair(): TestKeyPair {
  return pairOf(kept.pop() ?? '');
}

function pairOf(der: string): TestKeyPair {
  const privateKey = createPrivateKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  return {
    privateKey,
    publicKey,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}
