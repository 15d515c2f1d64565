import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { DatabaseAccess } from '../../database/database.ts';
import type { Vault, VaultAccess } from '../../database/vault.ts';

/** A text with its signature by one of the service's keys for seals. */
export interface Signed {
  content: string;
  keyId: string;
  /** Ed25519, in base64. */
  signature: string;
}

/** The service's keys for seals. They are apart from the merchants' keys, which are exchanged and withdrawn. */
export interface SealKeys {
  sign(content: string): Signed;
  /** False also if the key is unknown, or was not sealed with a key of the service. */
  isGenuine(signed: Signed): boolean;
  /** The time when a newer key replaced this key, in Unix ms. Null for the newest key and for unknown keys. */
  replacedAt(keyId: string): number | null;
  /** The public key of a known key: SPKI in base64. */
  publicKeyOf(keyId: string): string | null;
}

/**
 * Opens the keys. The newest signs. If there is none, one is made, or `sign` throws where `mayMake` is false. A public
 * key is never read from the database: it follows from the private key, which only the service's keys open.
 */
export async function openSealKeys(
  domain: DatabaseAccess & VaultAccess,
  { mayMake }: { mayMake: boolean },
): Promise<SealKeys> {
  let rows = await readKeys(domain);
  if (rows.length === 0 && mayMake) {
    await makeSealKey(domain, domain.vault);
    rows = await readKeys(domain);
  }
  const keys = rows.flatMap((row) => open(domain, row) ?? []).toSorted((a, b) => a.madeAt - b.madeAt);
  const known = new Map(keys.map((key, i) => [key.keyId, { ...key, replacedAt: keys[i + 1]?.madeAt ?? null }]));
  return {
    sign: (content) => {
      const newest = keys.at(-1);
      if (!newest) throw new Error('there is no key to sign seals with');
      const signature = sign(null, Buffer.from(content), newest.key).toString('base64');
      return { content, keyId: newest.keyId, signature };
    },
    isGenuine: ({ content, keyId, signature }) => {
      const key = known.get(keyId)?.publicKey;
      return key !== undefined && verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64'));
    },
    replacedAt: (keyId) => known.get(keyId)?.replacedAt ?? null,
    publicKeyOf: (keyId) => {
      const key = known.get(keyId)?.publicKey;
      return key ? spkiOf(key).toString('base64') : null;
    },
  };
}

/** Makes a key and encrypts it with this vault. New seals are signed with it from now on. */
export async function makeSealKey({ database: { pool } }: SealKeyAccess, vault: Vault): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const keyId = `seal-${new Date().toISOString()}-${idOf(publicKey)}`;
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await pool.query(insertSql, [keyId, vault.seal('sealKey', keyId, pem)]);
}

interface SealKeyAccess {
  database: { pool: { query(text: string, values: unknown[]): Promise<unknown> } };
}

interface SealedKey {
  keyId: string;
  privateKey: Buffer;
}

interface OpenKey {
  keyId: string;
  key: KeyObject;
  publicKey: KeyObject;
  madeAt: number;
}

async function readKeys({ database: { pool } }: DatabaseAccess): Promise<SealedKey[]> {
  return (await pool.query<SealedKey>(keysSql)).rows;
}

/** Null for a row that the service has not made. The sealed text is bound to the id, so the time in it is genuine. */
function open({ vault }: VaultAccess, { keyId, privateKey }: SealedKey): OpenKey | null {
  const made = /^seal-(.{24})-([0-9a-f]{16})$/.exec(keyId);
  try {
    const key = createPrivateKey(vault.open('sealKey', keyId, privateKey));
    const publicKey = createPublicKey(key);
    const madeAt = Date.parse(made?.[1] ?? '');
    return made?.[2] === idOf(publicKey) && !Number.isNaN(madeAt) ? { keyId, key, publicKey, madeAt } : null;
  } catch {
    return null;
  }
}

/** The first characters of SHA-256 over the public key. */
function idOf(publicKey: KeyObject): string {
  return hash('sha256', spkiOf(publicKey), 'hex').slice(0, 16);
}

function spkiOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}

const keysSql = 'select key_id as "keyId", private_key as "privateKey" from seal_key';
const insertSql = 'insert into seal_key (key_id, private_key) values ($1, $2)';
