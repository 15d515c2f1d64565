/** Null for everything but http and https: a link may come from elsewhere, and `javascript:` is one too. */
export function webLink(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
