import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { decodeBase64Strict } from './base64.ts';

/** A text is not an acceptable key. `message` says why, and contains no part of the text. */
export class InvalidKey extends Error {
  override readonly name = 'InvalidKey';
}

/**
 * Reads an RSA public key from SPKI PEM, PKCS#1 PEM, or the base64 DER of either. It must have 2048 to 8192 bits
 * (decisions 2.1), an odd modulus, and an odd exponent from 3 to 2^32. Results are cached by the text, so a request
 * rarely parses a key.
 * @throws InvalidKey
 */
export const parsePublicKey: (text: string) => KeyObject = remember(10_000, (text) => {
  const der = readPem(text, { 'PUBLIC KEY': 'spki', 'RSA PUBLIC KEY': 'pkcs1' }) ?? readBareDer(text);
  if (der === null) throw new InvalidKey('not a public key in PEM or base64 DER');
  for (const type of der.types) {
    const key = attempt(() => createPublicKey({ key: der.bytes, format: 'der', type }));
    if (key) return checkRsa(key);
  }
  throw new InvalidKey('not an RSA public key');
});

/**
 * Reads an RSA private key from PKCS#8 or PKCS#1 PEM without a pass phrase. The same rules apply. Cached by the text.
 * @throws InvalidKey
 */
export const parsePrivateKey: (text: string) => KeyObject = remember(64, (text) => {
  const der = readPem(text, { 'PRIVATE KEY': 'pkcs8', 'RSA PRIVATE KEY': 'pkcs1' });
  if (der === null) throw new InvalidKey('not a private key in PEM');
  for (const type of der.types) {
    const key = attempt(() => createPrivateKey({ key: der.bytes, format: 'der', type }));
    if (key) return checkRsa(key);
  }
  throw new InvalidKey('not an RSA private key');
});

interface Der<Type> {
  readonly bytes: Buffer;
  /** The formats that these bytes may have. */
  readonly types: readonly Type[];
}

const MIN_BITS = 2048;
/** A limit, because the cost of verifying grows with the square of the modulus' length. */
const MAX_BITS = 8192;
/** A limit, because the cost of verifying grows with the exponent's length. Usual exponents are 3 and 65537. */
const MAX_EXPONENT = 2n ** 32n;
const MAX_TEXT_LENGTH = 16 * 1024;
const PEM = /^\s*-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----\s*$/;

/** Accepts PEM only with these labels. OpenSSL would also read a certificate, or a private key as a public one. */
function readPem<Type extends string>(text: string, labels: Readonly<Record<string, Type>>): Der<Type> | null {
  const [, label = '', base64 = ''] = PEM.exec(text) ?? [];
  const type = Object.hasOwn(labels, label) ? labels[label] : undefined;
  const bytes = decodeBase64Strict(base64.replace(/\s/g, ''));
  return type === undefined || bytes === null ? null : { bytes, types: [type] };
}

/** Accepts line breaks, because people paste keys as their tools print them. */
function readBareDer(text: string): Der<'spki' | 'pkcs1'> | null {
  const bytes = decodeBase64Strict(text.replace(/\s/g, ''));
  return bytes === null || bytes.length === 0 ? null : { bytes, types: ['spki', 'pkcs1'] };
}

function attempt(parse: () => KeyObject): KeyObject | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function checkRsa(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') throw new InvalidKey('not an RSA key');
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_BITS) throw new InvalidKey(`an RSA key needs ${MIN_BITS} bits or more`);
  if (modulusLength > MAX_BITS) throw new InvalidKey(`an RSA key may have ${MAX_BITS} bits at most`);
  if (!isOddModulus(key)) throw new InvalidKey('the RSA key has an even modulus');
  // With an exponent of 1, signatures can be made without the private key. A huge exponent makes every verification
  // slow.
  if (publicExponent < 3n || publicExponent > MAX_EXPONENT || publicExponent % 2n === 0n)
    throw new InvalidKey('the public exponent of an RSA key must be odd, at least 3 and at most 2^32');
  return key;
}

function isOddModulus(key: KeyObject): boolean {
  const { n = '' } = key.export({ format: 'jwk' });
  return ((Buffer.from(n, 'base64url').at(-1) ?? 0) & 1) === 1;
}

/** Caches the last `limit` results, and drops the least recently used one first. Errors are not cached. */
function remember(limit: number, parse: (text: string) => KeyObject): (text: string) => KeyObject {
  const kept = new Map<string, KeyObject>();
  return (text) => {
    if (text.length > MAX_TEXT_LENGTH) throw new InvalidKey('too long for a key');
    const key = kept.get(text) ?? parse(text);
    kept.delete(text);
    kept.set(text, key);
    const [oldest] = kept.keys();
    if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
    return key;
  };
}
