import { MalformedRequest, quoted } from './malformed-request.ts';

/**
 * Refuses names that make a path ambiguous, or that are reserved for the headers (decisions 2.3). `top`: the name is a
 * top-level key of a body, or a query parameter. `isSpecial`: it may have such a character.
 * @throws MalformedRequest
 */
export function checkFieldName(name: string, top: boolean, isSpecial = true): void {
  if (name === '') throw new MalformedRequest('a key is empty');
  if ((isSpecial && isAmbiguous(name)) || name === '__proto__')
    throw new MalformedRequest(`key ${quoted(name)} is not allowed`);
  if (top && RESERVED.has(name)) throw new MalformedRequest(`key ${quoted(name)} is reserved`);
}

const RESERVED: ReadonlySet<string> = new Set(['timestamp', 'nonce', 'sign']);

/** Whether a name has a separator of paths, or a control character (Unicode category Cc). */
function isAmbiguous(name: string): boolean {
  for (let i = 0; i < name.length; i += 1) {
    const unit = name.charCodeAt(i);
    if (unit < 0x20 || unit === 0x2e || unit === 0x5b || unit === 0x5d || (unit >= 0x7f && unit <= 0x9f)) return true;
  }
  return false;
}
