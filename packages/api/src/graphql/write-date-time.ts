const dayMs = 86_400_000;
const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
const midnight = '00:00:00.000Z';

let last = { day: Number.NaN, date: '' };

/**
 * Unix milliseconds as RFC 3339 text in UTC, the same text that `Date` writes. Throws a RangeError for a number that is no
 * time. A page has about a hundred times, mostly of one day. `Date` computes the calendar for each of them, which took
 * longer than all other scalars together.
 */
export function writeDateTime(ms: number): string {
  const day = Math.floor(ms / dayMs);
  if (day !== last.day) last = { day, date: new Date(day * dayMs).toISOString().slice(0, -midnight.length) };
  const inDay = ms - day * dayMs;
  const seconds = Math.floor(inDay / 1000);
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const millis = inDay % 1000;
  const zeros = millis < 10 ? '00' : millis < 100 ? '0' : '';
  return `${last.date}${twoDigits[hour]}:${twoDigits[minute]}:${twoDigits[seconds % 60]}.${zeros}${millis}Z`;
}
