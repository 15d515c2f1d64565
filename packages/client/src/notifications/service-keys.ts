import { createPublicKey, type KeyObject } from 'node:crypto';
import { keyId, parsePublicKey } from '@tidegate/signature';
import { readBaseUrl } from '../client-options.ts';
import { ConnectionError } from '../errors/errors.ts';
import { readBounded } from '../read-bounded.ts';

/** The service's public keys, by which notifications are verified. */
export interface ServiceKeys {
  /**
   * The keys that a notification may be signed with: the one of its `X-Key-Id`, or all there are where it names none. Empty: the
   * service publishes no such key. Rejects with ConnectionError where the keys cannot be had.
   */
  find(keyId: string | undefined): Promise<readonly KeyObject[]>;
}

export interface ServiceKeysOptions {
  /** Where the service is; its keys are at `/.well-known/jwks.json` there. */
  baseUrl: string;
  /** How long fetched keys are used before they are fetched again, in milliseconds; default 10 minutes. */
  maxAgeMs?: number | undefined;
  /** An unknown key id fetches the keys again, but not sooner than this after the last time, in milliseconds; default 5,000. */
  cooldownMs?: number | undefined;
  /** Keys that could not be fetched again are used for this much longer, in milliseconds; default one hour. */
  maxStaleMs?: number | undefined;
  allowHttp?: boolean | undefined;
  fetch?: typeof fetch | undefined;
  /** Milliseconds, only ever compared with itself. */
  clock?: (() => number) | undefined;
}

const MAX_JWKS_BYTES = 256 * 1024;
const MAX_KEYS = 16;
const FETCH_TIMEOUT_MS = 5_000;

/**
 * Keeps the keys that the service publishes. A rotation needs nothing of the merchant: a key id that is not known yet fetches them
 * again, one fetch for all that wait for it, and after `cooldownMs` only, so that invented key ids cannot make it fetch all the
 * time. A key that the service takes back is used no longer than `maxAgeMs`.
 */
export function serviceKeys(options: ServiceKeysOptions): ServiceKeys {
  const { maxAgeMs = 600_000, cooldownMs = 5_000, maxStaleMs = 3_600_000, clock = () => performance.now() } = options;
  const url = `${readBaseUrl(options.baseUrl, options.allowHttp === true)}/.well-known/jwks.json`;
  let kept: { keys: ReadonlyMap<string, KeyObject>; at: number } | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let fetching: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    triedAt = clock();
    try {
      kept = { keys: await fetchKeys(url, options.fetch ?? fetch), at: triedAt };
      failure = undefined;
    } catch (error) {
      failure = error;
    }
  };
  const age = (): number => (kept ? clock() - kept.at : Number.POSITIVE_INFINITY);
  return {
    async find(wanted) {
      const isMissing = wanted !== undefined && !kept?.keys.has(wanted);
      if ((isMissing || age() > maxAgeMs) && (fetching || clock() - triedAt >= cooldownMs)) {
        fetching ??= refresh().finally(() => {
          fetching = undefined;
        });
        await fetching;
      }
      if (!kept || age() > maxAgeMs + maxStaleMs)
        throw new ConnectionError(`the keys of the service cannot be fetched from ${url}`, { cause: failure });
      if (wanted === undefined) return [...kept.keys.values()];
      const key = kept.keys.get(wanted);
      return key ? [key] : [];
    },
  };
}

/** Keys that are known beforehand, as PEM: for those who may not fetch any. @throws InvalidKey */
export function fixedKeys(...pems: string[]): ServiceKeys {
  const keys = new Map(pems.map((pem) => [keyId(parsePublicKey(pem)), parsePublicKey(pem)]));
  return {
    find: async (wanted) => [...keys].filter(([id]) => wanted === undefined || id === wanted).map(([, key]) => key),
  };
}

async function fetchKeys(url: string, fetchIt: typeof fetch): Promise<Map<string, KeyObject>> {
  const response = await fetchIt(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  const bytes = await readBounded(response.body, MAX_JWKS_BYTES);
  if (!response.ok || bytes === null) throw new Error(`it answered ${response.status}`);
  const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const listed = typeof document === 'object' && document !== null && 'keys' in document ? document.keys : undefined;
  if (!Array.isArray(listed)) throw new Error('it answered with no JWKS');
  return new Map(listed.slice(0, MAX_KEYS).flatMap(readJwk));
}

/** Empty for a key that is not for RSA signatures, or too weak: it verifies nothing, and does not keep the others from it. */
function readJwk(jwk: unknown): [string, KeyObject][] {
  if (typeof jwk !== 'object' || jwk === null || !('kid' in jwk) || typeof jwk.kid !== 'string') return [];
  if ('use' in jwk && jwk.use !== 'sig') return [];
  try {
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    return [[jwk.kid, parsePublicKey(String(pem))]];
  } catch {
    return [];
  }
}
