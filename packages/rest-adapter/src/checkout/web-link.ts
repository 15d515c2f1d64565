/** The URL if it is http or https, else null. Links come from outside, and `javascript:` would be a script. */
export function webLink(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
