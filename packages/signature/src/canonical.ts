import { byCodePoint } from './code-point-order.ts';
import { flatten, type Leaf } from './flatten.ts';
import { parseBody } from './json.ts';
import type { JsonObject } from './json-value.ts';
import { parseQuery } from './query.ts';

/** A parsed request and the content that its signature covers. Both come from one parse, so they cannot differ. */
export interface SignedFields {
  /** The request without absent values. */
  readonly value: JsonObject;
  /** The text whose UTF-8 bytes are signed. Pass the values of `X-Timestamp` and `X-Nonce`. */
  content(timestamp: string, nonce: string): string;
}

/** Reads the body of a POST, or of a notification. @throws MalformedRequest */
export function readBody(body: Uint8Array): SignedFields {
  return signedFields(parseBody(body));
}

/** Reads the raw query string of a GET, without the `?`. @throws MalformedRequest */
export function readQuery(query: string): SignedFields {
  return signedFields(parseQuery(query));
}

function signedFields(value: JsonObject): SignedFields {
  const leaves = flatten(value);
  return { value, content: (timestamp, nonce) => contentToSign(leaves, timestamp, nonce) };
}

function contentToSign(leaves: readonly Leaf[], timestamp: string, nonce: string): string {
  const all = [...leaves, { path: 'timestamp', text: timestamp }, { path: 'nonce', text: nonce }];
  all.sort((a, b) => byCodePoint(a.path, b.path));
  let content = '';
  let separator = '';
  for (const { path, text } of all) {
    content += `${separator}${escaped(path)}=${escaped(text)}`;
    separator = '&';
  }
  return content;
}

/** Escapes only `%` and the two separators. So different pairs never produce the same content. */
function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replaceAll('%', '%25').replaceAll('&', '%26').replaceAll('=', '%3D') : text;
}

const SPECIAL = /[%&=]/;
