import { createPrivateKey, type KeyObject } from 'node:crypto';
import { merchantOfServiceKeyId, parsePublicKey, type RsaJwk, toJwk } from '@tidegate/signature';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { openLookUp } from '../database/look-up.ts';
import type { Vault } from '../database/vault.ts';
import type { ConfigurationChanges } from './configuration-feed.ts';
import { currentServiceKeys, publishedServiceKeys } from './queries.ts';

/** The key that signs a notification, and its id for `X-Key-Id`. */
export interface Signer {
  keyId: string;
  key: KeyObject;
}

/** The service's keys: each merchant's notifications are signed with its own (decisions 2.5). */
export interface ServiceKeys {
  /**
   * The key that signs this merchant's notifications now. Rejects if it cannot be read: no notification is sent
   * unsigned.
   */
  signing(merchantId: string): Promise<Signer>;
  /** The published public key of this id (its `kid`); null if there is none. Callers are untrusted. */
  published(keyId: string): Promise<RsaJwk | null>;
  /** Drops cached keys of changed merchants. */
  changed(changes: ConfigurationChanges): void;
}

export interface ServiceKeysAccess {
  serviceKeys: ServiceKeys;
}

/**
 * The most signing keys in memory, about 20 kB each, and the most public keys. To open a signing key takes about 500 µs.
 */
const maxKept = 5_000;
/** A withdrawn public key may be published for this long. */
const publishedKeptMs = 5_000;

export function openServiceKeys(pool: pg.Pool, vault: Vault, capacity = maxKept): ServiceKeys {
  const own = openSigners(pool, vault, capacity);
  const published = openPublishedKeys(pool, capacity);
  return {
    async signing(merchantId) {
      const key = await own.find(merchantId);
      if (!key) throw new Error(`the service has no key to sign with for ${merchantId}`);
      return key;
    },
    published: published.find,
    changed(changes) {
      if (changes === null || changes.some(({ id }) => id === '*')) own.dropAll();
      else for (const { id } of changes) own.drop(id);
    },
  };
}

/** Each merchant's current key, opened once. The least recently used one is dropped first. */
function openSigners(pool: pg.Pool, vault: Vault, capacity: number) {
  const kept = new LRUCache<string, Promise<Signer | null>>({ max: capacity });
  const read = openLookUp(async (merchantIds) => {
    const { rows } = await pool.query<SealedRow>({ ...currentServiceKeys, values: [merchantIds] });
    return new Map(rows.map((row) => [row.merchantId, row]));
  });
  const open = async (merchantId: string): Promise<Signer | null> => {
    const row = await read(merchantId);
    if (!row) return null;
    return { keyId: row.keyId, key: createPrivateKey(vault.open('serviceKey', row.keyId, row.privateKey)) };
  };
  return {
    find(merchantId: string): Promise<Signer | null> {
      const known = kept.get(merchantId);
      if (known) return known;
      const found = open(merchantId);
      kept.set(merchantId, found);
      found.catch(() => {
        if (kept.peek(merchantId) === found) kept.delete(merchantId);
      });
      return found;
    },
    drop: (merchantId: string) => kept.delete(merchantId),
    dropAll: () => kept.clear(),
  };
}

interface SealedRow {
  merchantId: string;
  keyId: string;
  privateKey: Buffer;
}

/** Public keys by id. An id of a wrong form sends no statement. Unknown ids share one statement. */
function openPublishedKeys(pool: pg.Pool, capacity: number) {
  // The age is checked at each use, because the process may have been stopped meanwhile.
  const kept = new LRUCache<string, RsaJwk>({ max: capacity, ttl: publishedKeptMs, ttlResolution: 0 });
  const read = openLookUp(async (keyIds) => {
    const values = [keyIds.map(merchantOfServiceKeyId), keyIds];
    const { rows } = await pool.query<{ keyId: string; publicKeyPem: string }>({
      ...publishedServiceKeys,
      values,
    });
    return new Map(rows.map(({ keyId, publicKeyPem }) => [keyId, toJwk(parsePublicKey(publicKeyPem))]));
  });
  return {
    async find(keyId: string): Promise<RsaJwk | null> {
      const known = kept.get(keyId);
      if (known) return known;
      const found = merchantOfServiceKeyId(keyId) === null ? null : await read(keyId);
      if (!found) return null;
      const jwk = { ...found, kid: keyId };
      kept.set(keyId, jwk);
      return jwk;
    },
  };
}
