import { MalformedRequest, quoted } from './malformed-request.ts';

/**
 * Refuses the keys that would make a path ambiguous or collide with the headers (decisions 2.3).
 * `top` is true for top-level keys of a body and for query parameters.
 * @throws MalformedRequest
 */
export function checkFieldName(name: string, top: boolean): void {
  if (name === '') throw new MalformedRequest('a key is empty');
  if (AMBIGUOUS.test(name) || name === '__proto__') throw new MalformedRequest(`key ${quoted(name)} is not allowed`);
  if (top && RESERVED.has(name)) throw new MalformedRequest(`key ${quoted(name)} is reserved`);
}

const RESERVED: ReadonlySet<string> = new Set(['timestamp', 'nonce', 'sign']);

/** Separators of a path, and control characters (Unicode category Cc). */
const AMBIGUOUS = /[.[\]\p{Cc}]/u;
