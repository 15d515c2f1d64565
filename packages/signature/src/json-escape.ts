/** The end of the JSON escape that begins at the backslash at `at`; -1 if it is not one (RFC 8259, 7). */
export function endOfEscape(text: string, at: number): number {
  const letter = text.charCodeAt(at + 1);
  if (letter !== LOWER_U) return SHORT_ESCAPES.has(letter) ? at + 2 : -1;
  for (let i = at + 2; i < at + 6; i += 1) if (!isHexDigit(text.charCodeAt(i))) return -1;
  return at + 6;
}

const LOWER_U = 0x75;

const SHORT_ESCAPES: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)));

function isHexDigit(code: number): boolean {
  // The lower case of a letter differs from it in this bit alone.
  const lower = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}
