import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** An RSA public key as the service publishes it (RFC 7517). */
export interface RsaJwk {
  readonly kty: 'RSA';
  /** Modulus and exponent in base64url. */
  readonly n: string;
  readonly e: string;
  readonly kid: string;
  readonly alg: 'RS256';
  readonly use: 'sig';
}

/** Converts the public part of an RSA key for publication. */
export function toJwk(key: KeyObject): RsaJwk {
  const known = jwks.get(key);
  if (known) return known;
  const { n, e } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  if (key.asymmetricKeyType !== 'rsa' || n === undefined || e === undefined) throw new TypeError('not an RSA key');
  const jwk: RsaJwk = { kty: 'RSA', n, e, kid: thumbprint(n, e), alg: 'RS256', use: 'sig' };
  jwks.set(key, jwk);
  return jwk;
}

/**
 * The key's RFC 7638 thumbprint (SHA-256, base64url). Equal keys have equal thumbprints, and so do both halves of a key
 * pair.
 */
export function keyId(key: KeyObject): string {
  return toJwk(key).kid;
}

/** How much of the thumbprint is in a service key's id: 22 characters, i.e. 132 bits. */
const FINGERPRINT_LENGTH = 22;

/**
 * `X-Key-Id` of the service's key for a merchant (decisions 2.5): merchant number, dot, beginning of the thumbprint.
 */
export function serviceKeyId(merchantNo: string, key: KeyObject): string {
  return `${merchantNo}.${keyId(key).slice(0, FINGERPRINT_LENGTH)}`;
}

const SERVICE_KEY_ID = /^([A-Z0-9-]{3,32})\.[A-Za-z0-9_-]{22}$/;

/** The merchant number in a service key's id; null for any other text. */
export function merchantOfServiceKeyId(id: string): string | null {
  return SERVICE_KEY_ID.exec(id)?.[1] ?? null;
}

const jwks = new WeakMap<KeyObject, RsaJwk>();

/** RFC 7638, section 3: only the required members, sorted, without white space. */
function thumbprint(n: string, e: string): string {
  return createHash('sha256').update(`{"e":"${e}","kty":"RSA","n":"${n}"}`).digest('base64url');
}
