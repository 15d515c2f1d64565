import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** A public key as it stands in the JWKS (RFC 7517). */
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

/** The key's RFC 7638 thumbprint (SHA-256, base64url): its `kid`, and the `X-Key-Id` of notifications. Same for both halves. */
export function keyId(key: KeyObject): string {
  return toJwk(key).kid;
}

const jwks = new WeakMap<KeyObject, RsaJwk>();

/** RFC 7638 section 3: the required members only, in lexicographic order, without white space. */
function thumbprint(n: string, e: string): string {
  return createHash('sha256').update(`{"e":"${e}","kty":"RSA","n":"${n}"}`).digest('base64url');
}
