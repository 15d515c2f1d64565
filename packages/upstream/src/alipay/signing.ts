import { type KeyObject, sign, verify } from 'node:crypto';
import type { Charset } from '../provider/http-client.ts';

// Signatures of Alipay: RSA2, that is RSA with SHA-256 and PKCS #1 v1.5 padding, in base64.
// Source: https://opendocs.alipay.com/common/02kf5q and the repository alipay/alipay-sdk-nodejs-all.

/**
 * The text that the signature of a request covers: all parameters with a value except `sign`, sorted by name, as
 * `name=value`.
 */
export function requestContent(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .filter(([name, value]) => name !== 'sign' && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Signs text in UTF-8. Returns base64. */
export function signContent(content: string, privateKey: KeyObject): string {
  return sign('RSA-SHA256', Buffer.from(content, 'utf8'), privateKey).toString('base64');
}

/** Whether one of the keys made this signature. A signature that is not canonical base64 never verifies. */
export function verifyContent(content: Uint8Array, signature: string, publicKeys: readonly KeyObject[]): boolean {
  const bytes = Buffer.from(signature, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== signature) return false;
  return publicKeys.some((key) => verify('RSA-SHA256', content, key, bytes));
}

/**
 * Parses the form of a notification. Names and values are bytes as Latin-1 text, so that every charset can be verified.
 * Null if it is not a form, or has a name twice.
 */
export function readForm(body: Uint8Array): Map<string, string> | null {
  const parts = Buffer.from(body).toString('latin1').split('&', 201);
  if (parts.length > 200) return null;
  const form = new Map<string, string>();
  for (const part of parts) {
    const at = part.indexOf('=');
    const name = decodeBytes(part.slice(0, Math.max(at, 0)));
    const value = decodeBytes(part.slice(at + 1));
    if (!name || value === null || form.has(name)) return null;
    form.set(name, value);
  }
  return form;
}

function decodeBytes(text: string): string | null {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return null;
  return text
    .replaceAll('+', ' ')
    .replace(/%(..)/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * Whether the signed text can be parsed in one way only. Its values are not escaped, so a field could be moved into
 * the value before it, and the signature would still verify.
 */
export function isUnambiguous(form: ReadonlyMap<string, string>): boolean {
  return [...form].every(([name, value]) => /^[a-z0-9_]+$/.test(name) && !value.includes('&'));
}

/**
 * The text that the signature of a notification covers: all parameters except `sign`. Notifications about trades leave
 * `sign_type` out too, those of some other products do not.
 */
export function notificationContent(form: ReadonlyMap<string, string>, withSignType: boolean): Uint8Array {
  const content = [...form]
    .filter(([name]) => name !== 'sign' && (withSignType || name !== 'sign_type'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return Buffer.from(content, 'latin1');
}

/** Whether a notification was signed by one of the keys, in either of the two ways. */
export function verifyNotification(form: ReadonlyMap<string, string>, publicKeys: readonly KeyObject[]): boolean {
  const signature = form.get('sign') ?? '';
  if ((form.get('sign_type') ?? 'RSA2') !== 'RSA2') return false;
  return [false, true].some((withType) => verifyContent(notificationContent(form, withType), signature, publicKeys));
}

/** A parsed reply. `node` has the bytes of the answer exactly as they were sent, which the signature covers. */
export interface SignedReply {
  node: Uint8Array;
  signature: string;
  /** The serial number of the certificate that signed it; only in certificate mode. */
  certificateSerial?: string;
}

/** Parses the reply to `method`. Null if it has no signed answer. */
export function splitReply(raw: Uint8Array, charset: Charset, method: string): SignedReply | null {
  const text = withPlainBytes(raw, charset);
  const values = topLevelValues(text);
  const read = (name: string) => {
    const place = values?.get(name);
    return place && readText(text.slice(...place));
  };
  const node = values?.get(`${method.replaceAll('.', '_')}_response`) ?? values?.get('error_response');
  const signature = read('sign');
  const certificateSerial = read('alipay_cert_sn');
  if (node === undefined || signature === undefined) return null;
  return { node: raw.subarray(...node), signature, ...(certificateSerial !== undefined && { certificateSerial }) };
}

/**
 * The text of a reply with one character for each byte, so that places in it are places in the bytes. `x` stands for each
 * byte of other characters: in GBK the second one may look like a backslash.
 */
function withPlainBytes(raw: Uint8Array, charset: Charset): string {
  const bytes = Buffer.from(raw);
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    bytes[at] = 0x78;
    if (charset === 'utf-8' || at + 1 >= bytes.length) continue;
    at += 1;
    bytes[at] = 0x78;
  }
  return bytes.toString('latin1');
}

function readText(raw: string): string | undefined {
  const value: unknown = JSON.parse(raw);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Where the values of a JSON object are in its text, by their names. Null if the text is not an object, or has a name
 * twice.
 */
function topLevelValues(text: string): Map<string, [start: number, end: number]> | null {
  const values = new Map<string, [start: number, end: number]>();
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return null;
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at);
    const name = readText(text.slice(at, nameEnd)) ?? '';
    at = skipSpace(text, nameEnd);
    if (text[at] !== ':' || values.has(name)) return null;
    const start = skipSpace(text, at + 1);
    at = endOfValue(text, start);
    values.set(name, [start, start + text.slice(start, at).trimEnd().length]);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return text[at] === '}' ? values : null;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at += 1;
  return at;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const character = text[at] ?? '';
    if (depth === 0 && (character === ',' || character === '}')) return at;
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    at = character === '"' ? endOfString(text, at) : at + 1;
  }
  return text.length;
}
