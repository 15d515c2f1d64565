import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Finds a public key of the service by its `X-Key-Id`; undefined if the service does not publish it. */
export type FindServiceKey = (keyId: string) => Promise<KeyObject | undefined>;

const KEPT_MS = 60_000;
const MAX_KEPT = 1_000;
const FETCH_TIMEOUT_MS = 3_000;

/**
 * Fetches the service's keys by id from below `url`, and caches each for a minute. So a key rotation needs no work by
 * the merchant. Rejects if a key cannot be fetched. Call it only with ids that begin with your own merchant number.
 */
export function serviceKeys(url: string): FindServiceKey {
  const kept = new LRUCache<string, Promise<KeyObject | undefined>>({ max: MAX_KEPT, ttl: KEPT_MS });
  return async (keyId) => {
    const known = kept.get(keyId);
    if (known) return known;
    const key = fetchKey(`${url}/${encodeURIComponent(keyId)}`);
    kept.set(keyId, key);
    // Unknown ids are not cached.
    const remove = () => kept.delete(keyId);
    key.then((found) => found ?? remove(), remove);
    return key;
  };
}

async function fetchKey(url: string): Promise<KeyObject | undefined> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return createPublicKey({ key: (await response.json()) as JsonWebKey, format: 'jwk' });
}
