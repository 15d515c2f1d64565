import { concat, type DigestName, digest, equal, fromHex, toBigInt, toHex, utf8 } from './bytes.ts';
import type { RsaKey } from './rsa-key.ts';

/** What a signature contains, after it was opened with the public key. */
export type Opened =
  /** The required scheme. It is correct if the digest is SHA-256. */
  | { scheme: 'PKCS#1 v1.5'; digest: DigestName; hash: Uint8Array }
  | { scheme: 'PKCS#1 v1.5'; digest: 'MD5' | 'SHA-224'; hash: null }
  /** Correctly padded, but the name of the digest is missing. */
  | { scheme: 'bare'; content: Uint8Array }
  | { scheme: 'PSS'; digest: DigestName; hash: Uint8Array; salt: Uint8Array }
  /** Not a known scheme: another key signed, or the signature is damaged. */
  | { scheme: 'none' };

/** The DER bytes of a DigestInfo in front of the hash (RFC 8017, section 9.2). */
const PREFIXES: readonly { digest: DigestName | 'MD5' | 'SHA-224'; prefix: string; size: number }[] = [
  { digest: 'SHA-256', prefix: '3031300d060960864801650304020105000420', size: 32 },
  { digest: 'SHA-1', prefix: '3021300906052b0e03021a05000414', size: 20 },
  { digest: 'SHA-384', prefix: '3041300d060960864801650304020205000430', size: 48 },
  { digest: 'SHA-512', prefix: '3051300d060960864801650304020305000440', size: 64 },
  { digest: 'SHA-224', prefix: '302d300d06096086480165030402040500041c', size: 28 },
  { digest: 'MD5', prefix: '3020300c06082a864886f70d020505000410', size: 16 },
];

/** Opens a signature with the public key, which needs no secret. */
export async function openSignature(signature: Uint8Array, key: RsaKey): Promise<Opened> {
  const size = Math.ceil(key.bits / 8);
  const value = toBigInt(signature);
  if (signature.length !== size || value >= key.n) return { scheme: 'none' };
  const encoded = fromHex(
    power(value, key.e, key.n)
      .toString(16)
      .padStart(size * 2, '0'),
  );
  return openPkcs1(encoded) ?? (await openPss(encoded, key.bits)) ?? { scheme: 'none' };
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function openPkcs1(encoded: Uint8Array): Opened | null {
  const end = encoded.indexOf(0, 2);
  if (encoded[0] !== 0 || encoded[1] !== 1 || end < 10 || encoded.subarray(2, end).some((byte) => byte !== 0xff))
    return null;
  const content = encoded.subarray(end + 1);
  for (const { digest, prefix, size } of PREFIXES) {
    const start = fromHex(prefix);
    if (content.length !== start.length + size || !equal(content.subarray(0, start.length), start)) continue;
    if (digest === 'MD5' || digest === 'SHA-224') return { scheme: 'PKCS#1 v1.5', digest, hash: null };
    return { scheme: 'PKCS#1 v1.5', digest, hash: content.subarray(start.length) };
  }
  return { scheme: 'bare', content };
}

/** Recognises EMSA-PSS (RFC 8017, section 9.1.2) with any digest and salt length. */
async function openPss(encoded: Uint8Array, bits: number): Promise<Opened | null> {
  if (encoded.at(-1) !== 0xbc) return null;
  for (const { digest: name, size } of PREFIXES) {
    if (name === 'MD5' || name === 'SHA-224') continue;
    const masked = encoded.subarray(0, -size - 1);
    const hash = encoded.subarray(-size - 1, -1);
    const mask = await stretch(name, hash, masked.length);
    const block = masked.map((byte, at) => byte ^ (mask[at] ?? 0));
    block[0] = (block[0] ?? 0) & (0xff >> (8 * encoded.length - (bits - 1)));
    const mark = block.findIndex((byte) => byte !== 0);
    if (block[mark] === 1) return { scheme: 'PSS', digest: name, hash, salt: block.slice(mark + 1) };
  }
  return null;
}

/** MGF1 (RFC 8017, appendix B.2.1). */
async function stretch(name: DigestName, seed: Uint8Array, length: number): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  for (let made = 0, counter = 0; made < length; counter += 1) {
    const block = await digest(name, concat(seed, fromHex(counter.toString(16).padStart(8, '0'))));
    blocks.push(block);
    made += block.length;
  }
  return concat(...blocks).subarray(0, length);
}

/**
 * Whether the signed hash or text can be compared with a text. It cannot for unknown schemes, nor for digests that Web
 * Crypto lacks.
 */
export function isReadable(opened: Opened): boolean {
  return opened.scheme !== 'none' && !(opened.scheme === 'PKCS#1 v1.5' && opened.hash === null);
}

/** Whether the signature covers this text, even with a wrong padding or digest. */
export async function isOver(opened: Opened, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  switch (opened.scheme) {
    case 'PKCS#1 v1.5':
      return opened.hash !== null && equal(await digest(opened.digest, bytes), opened.hash);
    case 'PSS': {
      const inner = concat(new Uint8Array(8), await digest(opened.digest, bytes), opened.salt);
      return equal(await digest(opened.digest, inner), opened.hash);
    }
    case 'bare': {
      if (equal(bytes, opened.content)) return true;
      const hash = await digest('SHA-256', bytes);
      return equal(hash, opened.content) || equal(utf8(toHex(hash)), opened.content);
    }
    case 'none':
      return false;
    default:
      return opened satisfies never;
  }
}
