import { fromBase64, fromHex } from './bytes.ts';
import { type Finding, wrong } from './finding.ts';

/** Decodes an X-Sign even if its encoding is wrong, and reports the errors of the encoding (decisions 2.1). */
export function checkBase64(signature: string): { bytes: Uint8Array | null; findings: Finding[] } {
  const strict = fromBase64(signature);
  if (strict && !isBase64Text(strict) && !isHex(signature)) return { bytes: strict, findings: [] };
  for (const { what, fix, read } of SPELLINGS) {
    const bytes = read(signature);
    if (bytes) return { bytes, findings: [wrong('base64', `X-Sign is ${what}`, fix)] };
  }
  const fix = 'send the bytes of the signature in standard base64 with padding, in one line';
  return { bytes: null, findings: [wrong('base64', 'X-Sign is not base64', fix)] };
}

/** Hexadecimal text is valid base64 too, but decodes to a length that no signature has. */
const isHex = (text: string): boolean => text.length >= 512 && text.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(text);

interface Spelling {
  what: string;
  fix: string;
  /** Returns null if the signature is not written in this way. */
  read(signature: string): Uint8Array | null;
}

const STANDARD = 'use the standard alphabet with + and /, and keep the = at the end';

const SPELLINGS: readonly Spelling[] = [
  {
    what: 'base64 of base64',
    fix: 'encode the bytes of the signature once',
    read: (text) => {
      const once = fromBase64(text);
      return once && isBase64Text(once) ? fromBase64(new TextDecoder().decode(once)) : null;
    },
  },
  {
    what: 'in hexadecimal',
    fix: 'send base64 of the bytes, not hex',
    read: (text) => (isHex(text) ? fromHex(text) : null),
  },
  {
    what: 'broken into lines',
    fix: 'send it in one line (openssl base64 -A, base64 -w0)',
    read: (text) => (/\r|\n|\\n/.test(text) ? fromBase64(text.replace(/\\r|\\n|\s/g, '')) : null),
  },
  {
    what: 'in quotes or blanks',
    fix: 'send it without quotes and without blanks around it',
    read: (text) => fromBase64(text.replace(/^["'\s]+|(?<!["'\s])["'\s]+$/g, '')),
  },
  {
    what: 'percent-encoded',
    fix: 'a header is not encoded: send + / = as they are',
    read: (text) => (/%(?:2B|2F|3D)/i.test(text) ? fromBase64(decodeURIComponent(text)) : null),
  },
  {
    what: 'base64 with blanks in the place of +',
    fix: 'a form or URL decoder turned + into blanks: send the text as it was made',
    read: (text) => (text.includes(' ') ? fromBase64(text.trim().replaceAll(' ', '+')) : null),
  },
  {
    what: 'in the url-safe alphabet',
    fix: STANDARD,
    read: (text) => (/[-_]/.test(text) ? fromBase64(padded(text.replaceAll('-', '+').replaceAll('_', '/'))) : null),
  },
  {
    what: 'base64 without its padding',
    fix: STANDARD,
    read: (text) => (text.endsWith('=') ? null : fromBase64(padded(text))),
  },
];

function padded(text: string): string {
  const bare = text.replace(/(?<!=)=+$/, '');
  return bare + '='.repeat((4 - (bare.length % 4)) % 4);
}

/**
 * Whether the decoded bytes are base64 text again: the signature was encoded twice. A real signature never looks like
 * that.
 */
function isBase64Text(bytes: Uint8Array): boolean {
  return bytes.length > 100 && bytes.every((byte) => (byte >= 0x2b && byte <= 0x7a) || byte === 0x3d);
}
