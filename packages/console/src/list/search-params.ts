/** Search parameters as the router keeps them: texts, or lists of texts. */
export type SearchParams = Record<string, unknown>;

/** Reads `?a=1&b=x&b=y` as texts: `{ a: '1', b: ['x', 'y'] }`. The router's own reader would make numbers of digits. */
export function parseSearch(search: string): SearchParams {
  const read: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    const earlier = read[name];
    if (earlier === undefined) read[name] = value;
    else read[name] = [...(Array.isArray(earlier) ? earlier : [earlier]), value];
  }
  return read;
}

/** The opposite of parseSearch. Empty values are left out. */
export function stringifySearch(search: SearchParams): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null && one !== '')
      .map((one) => [name, String(one)]),
  );
  const text = new URLSearchParams(pairs).toString();
  return text === '' ? '' : `?${text}`;
}
