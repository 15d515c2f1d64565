import { zoneParts } from '../../core/zone-time.ts';
import type { FiguresQuery } from './figures-query.ts';

/** Source of a count: a roll-up by a unit of UTC, or the table of orders. */
export type Source = 'day' | 'hour' | 'quarter' | 'orders';

/** A time range whose orders are counted from one source. Times are Unix ms; `to` is exclusive. */
export interface Span {
  source: Source;
  /** The beginning of the zone's hour or day that it belongs to. */
  startsAt: number;
  from: number;
  to: number;
}

const quarterMs = 900_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Cuts [from, to) into spans that count each moment once, from the cheapest source. Days and hours of every time zone
 * begin at a quarter hour of UTC, so they come from the roll-ups. Only the two ends can lie within a quarter hour. An
 * end at or after `now` is moved to the next quarter hour, because no order is newer.
 */
export function figuresSpans({ from, to, grain, by, timeZone }: FiguresQuery, now: number): Span[] {
  const end = to >= now ? Math.ceil(to / quarterMs) * quarterMs : to;
  const isByTime = by?.includes('time');
  const parts = isByTime
    ? zoneParts(timeZone ?? 'UTC', grain ?? 'day', from, end)
    : [{ startsAt: from, from, to: end }];
  return parts.flatMap(({ startsAt, ...part }) =>
    cut('quarter', quarterMs, [{ source: 'orders', ...part }])
      .flatMap((one) => (one.source === 'quarter' ? cut('hour', hourMs, [one]) : [one]))
      .flatMap((one) => (one.source === 'hour' ? cut('day', dayMs, [one]) : [one]))
      .map((one) => ({ ...one, startsAt })),
  );
}

type Sourced = Omit<Span, 'startsAt'>;

/** The whole units within ranges, and the rest before and after them, which keeps its source. */
function cut(whole: Source, unitMs: number, ranges: readonly Sourced[]): Sourced[] {
  return ranges.flatMap(({ source, from, to }) => {
    const first = Math.ceil(from / unitMs) * unitMs;
    const last = Math.floor(to / unitMs) * unitMs;
    if (first >= last) return [{ source, from, to }];
    return [
      { source, from, to: first },
      { source: whole, from: first, to: last },
      { source, from: last, to },
    ].filter((piece) => piece.from < piece.to);
  });
}
