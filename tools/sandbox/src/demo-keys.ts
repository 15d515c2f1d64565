import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeToken } from '@tidegate/domain/admin';
import { writeAtomically } from './write-atomically.ts';

/** Keys of the demo merchants, and tokens of the demo operators. */
export interface DemoKeys {
  adminToken: string;
  approverToken: string;
  supportToken: string;
  merchants: Record<string, { publicKeyPem: string; privateKeyPem: string }>;
}

/** Reads the keys of this data folder. Missing keys are generated and stored with mode 0600. */
export function demoKeys(dataDir: string, merchantNos: readonly string[]): DemoKeys {
  const file = join(dataDir, 'demo-keys.json');
  const token = () => makeToken(randomBytes(32));
  const kept: DemoKeys = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { adminToken: token(), approverToken: token(), supportToken: token(), merchants: {} };
  for (const merchantNo of merchantNos) kept.merchants[merchantNo] ??= makeKeyPair();
  writeAtomically(file, JSON.stringify(kept, null, 2));
  return kept;
}

function makeKeyPair(): { publicKeyPem: string; privateKeyPem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKeyPem: publicKey, privateKeyPem: privateKey };
}
