import { fromBase64, toBigInt } from './bytes.ts';

/** The public half of an RSA key. */
export interface RsaKey {
  n: bigint;
  e: bigint;
  bits: number;
}

/** Why a text is not a usable key, and what to do. Contains no part of the text. */
export interface KeyProblem {
  problem: string;
  fix: string;
}

const MAX_TEXT_LENGTH = 16 * 1024;
const MIN_BITS = 2048;
const MAX_BITS = 8192;
const MAX_EXPONENT = 2n ** 32n;
const PEM_BEGIN = /-----BEGIN ([A-Z0-9 ]{1,40})-----/;

/** Other PEM texts that people paste by mistake, and how to get the right one. */
const OTHER_LABELS: Readonly<Record<string, KeyProblem>> = {
  CERTIFICATE: {
    problem: 'it is a certificate, not a key',
    fix: 'take the key out of it: openssl x509 -in FILE -pubkey -noout',
  },
  'ENCRYPTED PRIVATE KEY': {
    problem: 'it has a pass phrase',
    fix: 'take it off: openssl pkey -in FILE -out plain.pem',
  },
  'OPENSSH PRIVATE KEY': { problem: 'it is in the form of OpenSSH', fix: 'convert it: ssh-keygen -p -m PKCS8 -f FILE' },
  'EC PRIVATE KEY': { problem: 'it is a key of elliptic curves', fix: 'make an RSA key: npx @tidegate/client keys' },
  'CERTIFICATE REQUEST': { problem: 'it is a certificate request', fix: 'openssl req -in FILE -pubkey -noout' },
};

/**
 * Reads a public or private key: PEM with SPKI, PKCS#1 or PKCS#8, or the base64 of its DER. Of a private key, only the
 * public half is kept.
 */
export function readRsaKey(text: string): RsaKey | KeyProblem {
  if (text.length > MAX_TEXT_LENGTH) return { problem: 'it is too long for a key', fix: 'give the text of one key' };
  const { label, body } = pemOf(text) ?? { label: undefined, body: text };
  const other = label === undefined ? undefined : OTHER_LABELS[label];
  if (other) return other;
  if (body.includes('Proc-Type'))
    return { problem: 'it has a pass phrase', fix: 'take it off: openssl pkey -in FILE -out plain.pem' };
  const der = fromBase64(body.replace(/\\n|\s/g, ''));
  const numbers = der && (readNumbers(der) ?? null);
  if (!numbers)
    return {
      problem: 'it is not an RSA key in PEM or base64 DER',
      fix: 'give the whole file, from -----BEGIN to END-----',
    };
  const [n, e] = numbers;
  const bits = n.toString(2).length;
  if (bits < MIN_BITS)
    return {
      problem: `it has ${bits} bits, the service wants ${MIN_BITS}`,
      fix: 'make a new one: npx @tidegate/client keys',
    };
  if (bits > MAX_BITS || n % 2n === 0n || e < 3n || e > MAX_EXPONENT || e % 2n === 0n)
    return { problem: 'it is no usual RSA key', fix: 'make a new one: npx @tidegate/client keys' };
  return { n, e, bits };
}

/** The label of a PEM text, and the text between its first and last line; null if it is no PEM. */
function pemOf(text: string): { label: string; body: string } | null {
  const begin = PEM_BEGIN.exec(text);
  const [first = '', label = ''] = begin ?? [];
  const start = (begin?.index ?? 0) + first.length;
  const end = text.indexOf(`-----END ${label}-----`, start);
  return begin === null || end === -1 ? null : { label, body: text.slice(start, end) };
}

interface Node {
  tag: number;
  content: Uint8Array;
}

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const SEQUENCE = 0x30;

/** Finds modulus and exponent in any of these formats (RFC 8017, 5280, 5208). */
function readNumbers(der: Uint8Array): [bigint, bigint] | undefined {
  const [outer] = readNodes(der);
  if (outer?.tag !== SEQUENCE) return undefined;
  const inner = readNodes(outer.content);
  const wrapped = inner.find(({ tag }) => tag === BIT_STRING || tag === OCTET_STRING);
  // The first byte of a bit string is its number of unused bits.
  if (wrapped) return readNumbers(wrapped.tag === BIT_STRING ? wrapped.content.subarray(1) : wrapped.content);
  const numbers = inner.filter(({ tag }) => tag === INTEGER).map(({ content }) => toBigInt(content));
  // A private key begins with its version, 0.
  const [n, e] = numbers[0] === 0n ? numbers.slice(1) : numbers;
  return n === undefined || e === undefined ? undefined : [n, e];
}

function readNodes(der: Uint8Array): Node[] {
  const nodes: Node[] = [];
  for (let at = 0; at + 2 <= der.length; ) {
    const tag = der[at] ?? 0;
    let length = der[at + 1] ?? 0;
    at += 2;
    if (length >= 0x80) {
      const size = length & 0x7f;
      if (size > 3) return [];
      length = Number(toBigInt(der.subarray(at, at + size)));
      at += size;
    }
    if (at + length > der.length) return [];
    nodes.push({ tag, content: der.subarray(at, at + length) });
    at += length;
  }
  return nodes;
}
