import { createPublicKey, type KeyObject } from 'node:crypto';
import { merchantOfServiceKeyId, parsePublicKey, serviceKeyId } from '@tidegate/signature';
import { readBaseUrl } from '../client-options.ts';
import { ConnectionError } from '../errors/errors.ts';
import { readBounded } from '../read-bounded.ts';

/** The service's public keys. They verify notifications. */
export interface ServiceKeys {
  /**
   * Finds the key with this id, the `X-Key-Id` of a notification; empty if the service publishes no such key. Call it
   * only with ids that begin with your own merchant number, as `verifyNotification` does. Rejects with ConnectionError
   * if the key cannot be fetched.
   */
  find(keyId: string): Promise<readonly KeyObject[]>;
}

export interface ServiceKeysOptions {
  /** The URL of the service. Its keys are below it, at `/.well-known/keys/{keyId}`. */
  baseUrl: string;
  /** The age at which a key is fetched again, in milliseconds; default 10 minutes. */
  maxAgeMs?: number | undefined;
  /** The wait until the next try if a key was not found or could not be fetched, in milliseconds; default 5,000. */
  cooldownMs?: number | undefined;
  /** How much longer a key is used if fetching it again fails, in milliseconds; default one hour. */
  maxStaleMs?: number | undefined;
  allowHttp?: boolean | undefined;
  fetch?: typeof fetch | undefined;
  /** Milliseconds since an arbitrary moment. */
  clock?: (() => number) | undefined;
}

const MAX_KEY_BYTES = 256 * 1024;
/** The most keys and unknown ids in memory. A merchant has one or two keys at a time. */
const MAX_KEPT = 100;
/**
 * The most fetches of unknown ids within `cooldownMs`. Untrusted callers can invent ids, but known keys are not
 * affected.
 */
const MAX_FETCHES = 20;
const FETCH_TIMEOUT_MS = 5_000;

interface Kept {
  /** Null if the service publishes no such key. */
  key: KeyObject | null;
  at: number;
  /** The error of the last failed fetch, and its time. */
  failed?: { error: unknown; at: number };
}

/**
 * Fetches the service's published keys by id, and caches them. So a key rotation needs no work on your side: an unknown
 * id is fetched, once for all waiting calls. Invented ids cannot cause endless fetches, because at most 20 begin within
 * `cooldownMs`. While the service can be reached, a withdrawn key is not used longer than `maxAgeMs`.
 */
export function serviceKeys(options: ServiceKeysOptions): ServiceKeys {
  const { maxAgeMs = 600_000, cooldownMs = 5_000, maxStaleMs = 3_600_000, clock = () => performance.now() } = options;
  const keysUrl = `${readBaseUrl(options.baseUrl, options.allowHttp === true)}/.well-known/keys`;
  const kept = new Map<string, Kept>();
  const fetching = new Map<string, Promise<void>>();
  let fetchTimes: number[] = [];
  const mayFetch = (keyId: string): boolean => {
    if (kept.get(keyId)?.key) return true;
    fetchTimes = fetchTimes.filter((at) => clock() - at < cooldownMs);
    if (fetchTimes.length >= MAX_FETCHES) return false;
    fetchTimes.push(clock());
    return true;
  };
  const refresh = async (keyId: string): Promise<void> => {
    const at = clock();
    const before = kept.get(keyId);
    try {
      keep(kept, keyId, { key: await fetchKey(keysUrl, keyId, options.fetch ?? fetch), at });
    } catch (error) {
      keep(kept, keyId, { ...(before ?? { key: null, at: Number.NEGATIVE_INFINITY }), failed: { error, at } });
    }
  };
  const isDue = (keyId: string): boolean => {
    const known = kept.get(keyId);
    if (!known) return true;
    const freshMs = known.key ? maxAgeMs : cooldownMs;
    return clock() - known.at > freshMs && clock() - (known.failed?.at ?? Number.NEGATIVE_INFINITY) >= cooldownMs;
  };
  return {
    async find(keyId) {
      const wait = fetching.get(keyId);
      if (wait) await wait;
      else if (isDue(keyId) && mayFetch(keyId)) {
        const fetched = refresh(keyId).finally(() => fetching.delete(keyId));
        fetching.set(keyId, fetched);
        await fetched;
      }
      const known = kept.get(keyId);
      if (!known || clock() - known.at > (known.key ? maxAgeMs + maxStaleMs : cooldownMs))
        throw new ConnectionError(`the service's key cannot be fetched from ${keysUrl}`, {
          cause: known?.failed?.error ?? new Error('too many unknown keys were asked for'),
        });
      return known.key ? [known.key] : [];
    },
  };
}

function keep(kept: Map<string, Kept>, keyId: string, found: Kept): void {
  kept.delete(keyId);
  kept.set(keyId, found);
  if (kept.size <= MAX_KEPT) return;
  // Unknown ids are dropped before keys.
  const [unknown] = [...kept].find(([id, { key }]) => key === null && id !== keyId) ?? [...kept.keys()].slice(0, 1);
  if (unknown !== undefined) kept.delete(unknown);
}

/**
 * Uses keys from PEM texts, for merchants that cannot fetch keys.
 * @throws InvalidKey
 */
export function fixedKeys(...pems: string[]): ServiceKeys {
  const keys = pems.map(parsePublicKey);
  return {
    find: async (wanted) => {
      const merchantNo = merchantOfServiceKeyId(wanted);
      return merchantNo === null ? [] : keys.filter((key) => serviceKeyId(merchantNo, key) === wanted);
    },
  };
}

/** Null if the service publishes no such key. */
async function fetchKey(keysUrl: string, keyId: string, fetchIt: typeof fetch): Promise<KeyObject | null> {
  const url = `${keysUrl}/${encodeURIComponent(keyId)}`;
  const response = await fetchIt(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  const bytes = await readBounded(response.body, MAX_KEY_BYTES);
  if (response.status === 404) return null;
  if (!response.ok || bytes === null) throw new Error(`it answered ${response.status}`);
  const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return isObject(document) && document.kid === keyId ? readJwk(document) : null;
}

function isObject(value: unknown): value is Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Null for a key that is too weak, or not for RSA signatures. */
function readJwk(jwk: Partial<Record<string, unknown>>): KeyObject | null {
  if (jwk.use !== undefined && jwk.use !== 'sig') return null;
  try {
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    return parsePublicKey(String(pem));
  } catch {
    return null;
  }
}
