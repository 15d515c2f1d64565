import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Finds a public key of the service by its `X-Key-Id`; undefined when the service does not publish such a key. */
export type FindServiceKey = (keyId: string) => Promise<KeyObject | undefined>;

const KEPT_MS = 60_000;
const MOST_KEPT = 1_000;
const FETCH_TIMEOUT_MS = 3_000;

/**
 * Fetches the service's keys by their ids, below `url`, and keeps each for a minute: so a rotation needs nothing of the merchant.
 * Rejects when a key cannot be fetched. Ask only for ids that begin with the own merchant number.
 */
export function serviceKeys(url: string): FindServiceKey {
  const kept = new LRUCache<string, Promise<KeyObject | undefined>>({ max: MOST_KEPT, ttl: KEPT_MS });
  return async (keyId) => {
    const known = kept.get(keyId);
    if (known) return known;
    const key = fetchKey(`${url}/${encodeURIComponent(keyId)}`);
    kept.set(keyId, key);
    // Only what is published is kept.
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
