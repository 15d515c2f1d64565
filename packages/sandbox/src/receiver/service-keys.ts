import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** Finds a public key of the service by its `X-Key-Id`; undefined when the service does not publish such a key. */
export type FindServiceKey = (keyId: string) => Promise<KeyObject | undefined>;

const FETCH_AGAIN_MS = 1_000;
const FETCH_TIMEOUT_MS = 3_000;

/**
 * Keeps the keys that the service publishes at `url` (a JWKS), and fetches them again, at most once a second, when an
 * unknown key id comes: so a rotation needs nothing of the merchant. Rejects when they cannot be fetched.
 */
export function serviceKeys(url: string): FindServiceKey {
  let keys = new Map<string, KeyObject>();
  let fetching: Promise<void> | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  const refresh = async () => {
    keys = await fetchKeys(url);
    fetchedAt = performance.now();
  };
  return async (keyId) => {
    if (!keys.has(keyId) && performance.now() - fetchedAt >= FETCH_AGAIN_MS) {
      fetching ??= refresh().finally(() => {
        fetching = undefined;
      });
      await fetching;
    }
    return keys.get(keyId);
  };
}

async function fetchKeys(url: string): Promise<Map<string, KeyObject>> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const { keys } = (await response.json()) as { keys: (JsonWebKey & { kid: string })[] };
  return new Map(keys.map((jwk) => [jwk.kid, createPublicKey({ key: jwk, format: 'jwk' })]));
}
