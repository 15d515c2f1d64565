import { MalformedRequest, quoted } from './malformed-request.ts';

/**
 * Refuses names that make a path ambiguous, or that are reserved for the headers (decisions 2.3). `top`: the name is a
 * top-level key of a body, or a query parameter.
 * @throws MalformedRequest
 */
export function checkFieldName(name: string, top: boolean): void {
  if (name === '') throw new MalformedRequest('a key is empty');
  if (AMBIGUOUS.test(name) || name === '__proto__') throw new MalformedRequest(`key ${quoted(name)} is not allowed`);
  if (top && RESERVED.has(name)) throw new MalformedRequest(`key ${quoted(name)} is reserved`);
}

const RESERVED: ReadonlySet<string> = new Set(['timestamp', 'nonce', 'sign']);

/** The separators of a path, and control characters (Unicode category Cc). */
const AMBIGUOUS = /[.[\]\p{Cc}]/u;
