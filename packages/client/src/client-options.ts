import type { KeyObject } from 'node:crypto';
import { parsePrivateKey } from '@tidegate/signature';
import type { Country } from './country.ts';

export interface ClientOptions<C extends Country = Country> {
  /** The merchant's country. TypeScript then checks requests against the rules of this country. */
  country: C;
  merchantNo: string;
  /** PKCS#8 or PKCS#1 PEM without a pass phrase, of at least 2048 bits; or a key of `node:crypto`. */
  privateKey: string | KeyObject;
  /** The URL of the service, without `/api/v1/merchant`. It must be https, except for this machine. */
  baseUrl: string;
  /** Time limit of one attempt, in milliseconds; default 15,000. The service may need 8 seconds to create a payin. */
  timeoutMs?: number | undefined;
  /** The most attempts per call; default 3. */
  attempts?: number | undefined;
  /** Allows http to other machines, for tests in your own network. */
  allowHttp?: boolean | undefined;
  /** Used instead of the global fetch, for a proxy or a test. */
  fetch?: typeof fetch | undefined;
}

/** The options after they were checked. Every request uses them. */
export interface Connection {
  merchantNo: string;
  key: KeyObject;
  /** The base URL with `/api/v1/merchant`, without a slash at the end. */
  apiUrl: string;
  timeoutMs: number;
  attempts: number;
  fetch: typeof fetch;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_ATTEMPTS = 3;

/**
 * Checks the options.
 * @throws TypeError that names the wrong option and what it should be; InvalidKey for the key
 */
export function connectionOf(options: Omit<ClientOptions, 'country'>): Connection {
  const { merchantNo, privateKey, timeoutMs = DEFAULT_TIMEOUT_MS, attempts = DEFAULT_ATTEMPTS } = options;
  if (!/^[A-Z0-9-]{1,32}$/.test(merchantNo))
    throw new TypeError(`merchantNo must be 1 to 32 upper-case letters, digits or "-": ${JSON.stringify(merchantNo)}`);
  requireCount('timeoutMs', timeoutMs, 600_000);
  requireCount('attempts', attempts, 10);
  return {
    merchantNo,
    key: typeof privateKey === 'string' ? parsePrivateKey(privateKey) : requirePrivate(privateKey),
    apiUrl: `${readBaseUrl(options.baseUrl, options.allowHttp === true)}/api/v1/merchant`,
    timeoutMs,
    attempts,
    fetch: options.fetch ?? fetch,
  };
}

/**
 * Checks the base URL and removes a slash at its end.
 * @throws TypeError
 */
export function readBaseUrl(text: string, allowHttp: boolean): string {
  if (!URL.canParse(text)) throw new TypeError(`baseUrl must be an absolute URL: ${JSON.stringify(text)}`);
  const url = new URL(text);
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must not have a query, a fragment or credentials');
  const isHere = /^(?:localhost|127\.[0-9.]+|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isHere || allowHttp)))
    throw new TypeError(
      `baseUrl must begin with https://, unless it is this machine (or allowHttp is set): ${url.origin}`,
    );
  return url.href.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1\/merchant$/, '');
}

function requireCount(name: string, value: number, max: number): void {
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw new TypeError(`${name} must be a whole number from 1 to ${max}: ${value}`);
}

function requirePrivate(key: KeyObject): KeyObject {
  if (key.type !== 'private' || key.asymmetricKeyType !== 'rsa')
    throw new TypeError('privateKey must be a private RSA key');
  return key;
}
