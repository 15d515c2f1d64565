// What the first bytes of a file show. Each format says by them whether the file may be its own.

/** The text of the first bytes. Bytes that are invalid in the encoding, or cut off, become U+FFFD. */
export function startText(start: Uint8Array, encoding = 'utf-8'): string {
  return new TextDecoder(encoding).decode(start);
}

/** Whether it is a page of an API with these marks: of an item, or of an empty list. */
export function isJsonPage(
  start: Uint8Array,
  { page, item, empty }: { page: RegExp; item: RegExp; empty: RegExp },
): boolean {
  const text = startText(start);
  if (!text.trimStart().startsWith('{') || !page.test(text)) return false;
  return item.test(text) || empty.test(text);
}
