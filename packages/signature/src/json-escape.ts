/**
 * Reads the JSON escape that begins at the backslash at `at`: its meaning and its end. `undefined` for an unknown
 * escape.
 */
export function readEscape(text: string, at: number): { text: string; end: number } | undefined {
  const letter = text.charAt(at + 1);
  if (letter === 'u') {
    const digits = text.slice(at + 2, at + 6);
    if (!FOUR_DIGITS.test(digits)) return undefined;
    return { text: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 6 };
  }
  const short = SHORT_ESCAPES.get(letter);
  return short === undefined ? undefined : { text: short, end: at + 2 };
}

const FOUR_DIGITS = /^[0-9a-fA-F]{4}$/;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
