/**
 * A whole number in its only spelling: digits without a sign, a blank or a leading zero. Null for any other text, and for a number outside of
 * `least` to `most`, which are at most Number.MAX_SAFE_INTEGER. Every count, port and prefix in text from outside is read by it. So all parts of
 * the service read a text as the same number.
 */
export function readWholeNumber(text: string, least: number, most: number): number | null {
  if (text.length > 16 || !/^(?:0|[1-9][0-9]*)$/.test(text)) return null;
  const number = Number(text);
  return number >= least && number <= most ? number : null;
}
