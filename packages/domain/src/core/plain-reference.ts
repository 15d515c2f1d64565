/**
 * A bank's reference without differences of typing: width, case of A to Z, spaces, hyphens and other signs. If nothing
 * would be left, it stays as typed. The database's function `plain_reference` does the same.
 */
export function plainReference(typed: string): string {
  const plain = typed
    .normalize('NFKC')
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/[^A-Z0-9\u0080-\u{10ffff}]|[\u0080-\u00a9\u00ab-\u00b4\u2000-\u206f\u2212\u3000-\u303f\ufeff]/gu, '');
  return plain === '' ? typed : plain;
}
