import { BadRow } from './bad-row.ts';

// Control characters, and the sign for bytes that the encoding does not have.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unreadable = /[\u0000-\u001f\u007f\ufffd]/;

/** Whether a text can be stored, and has no sign of bytes that could not be decoded. */
export function isReadable(text: string): boolean {
  return !unreadable.test(text) && text.isWellFormed();
}

/** Words for "no reference", of ISO 20022 and SWIFT. */
const none = new Set(['', '-', 'NOTPROVIDED', 'NOT PROVIDED', 'NONREF', 'NOREF', 'NULL']);

/**
 * Reads a reference without outer white space; null if there is none. Throws BadRow with the name `what` if it is too
 * long or has bytes that cannot be decoded.
 */
export function readReference(value: unknown, what: string, longest: number): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') throw new BadRow(`${what} is no text`);
  const text = value.trim();
  if (none.has(text.toUpperCase())) return null;
  if (text.length > longest) throw new BadRow(`${what} is longer than ${longest} characters`);
  if (!isReadable(text)) throw new BadRow(`${what} has characters that cannot be read`);
  return text;
}

/** A reference that must be there. */
export function requireReference(value: unknown, what: string, longest: number): string {
  const found = readReference(value, what, longest);
  if (found === null) throw new BadRow(`${what} is missing`);
  return found;
}
