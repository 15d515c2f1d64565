import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** A published public key (RFC 7517). */
export interface RsaJwk {
  readonly kty: 'RSA';
  /** Modulus and exponent, base64url. */
  readonly n: string;
  readonly e: string;
  readonly kid: string;
  readonly alg: 'RS256';
  readonly use: 'sig';
}

/** The public part of an RSA key, private or public, for publication. */
export function toJwk(key: KeyObject): RsaJwk {
  const known = jwks.get(key);
  if (known) return known;
  const { n, e } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  if (key.asymmetricKeyType !== 'rsa' || n === undefined || e === undefined) throw new TypeError('not an RSA key');
  const jwk: RsaJwk = { kty: 'RSA', n, e, kid: thumbprint(n, e), alg: 'RS256', use: 'sig' };
  jwks.set(key, jwk);
  return jwk;
}

/** The key's RFC 7638 thumbprint (SHA-256, base64url), to find equal keys. A private key has that of its public key. */
export function keyId(key: KeyObject): string {
  return toJwk(key).kid;
}

/** The part of a service key's id after the merchant number: the first 132 bits of the thumbprint. */
const FINGERPRINT_LENGTH = 22;

/** `X-Key-Id` of the service's key for one merchant (decisions 2.5): the merchant number, a dot, and the start of the thumbprint. */
export function serviceKeyId(merchantNo: string, key: KeyObject): string {
  return `${merchantNo}.${keyId(key).slice(0, FINGERPRINT_LENGTH)}`;
}

const SERVICE_KEY_ID = /^([A-Z0-9-]{3,32})\.[A-Za-z0-9_-]{22}$/;

/** The merchant number at the beginning of a service key's id; null for other text. */
export function merchantOfServiceKeyId(id: string): string | null {
  return SERVICE_KEY_ID.exec(id)?.[1] ?? null;
}

const jwks = new WeakMap<KeyObject, RsaJwk>();

/** RFC 7638 section 3: the required members only, in lexicographic order, without white space. */
function thumbprint(n: string, e: string): string {
  return createHash('sha256').update(`{"e":"${e}","kty":"RSA","n":"${n}"}`).digest('base64url');
}
