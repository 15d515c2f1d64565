const longest = 3_600_000;

/** The wait of a Retry-After header (seconds or an HTTP date) in ms, at most an hour; null if it is unusable. */
export function retryAfterOf(header: string | string[] | undefined, now: number): number | null {
  const text = typeof header === 'string' ? header.trim() : '';
  if (/^[0-9]{1,9}$/.test(text)) return Math.min(Number(text) * 1000, longest);
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), longest);
}
