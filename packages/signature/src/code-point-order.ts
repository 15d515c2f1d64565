/**
 * Compares by Unicode code points, for `sort`. JavaScript compares UTF-16 units instead. The order differs only between
 * characters from U+10000 on, which are written as surrogates (U+D800 to U+DFFF), and characters from U+E000 to U+FFFF.
 * Both texts must be well-formed.
 */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}
