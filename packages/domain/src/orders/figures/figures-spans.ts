import { zoneParts } from '../../core/zone-time.ts';
import type { FiguresQuery } from './figures-query.ts';

/**
 * A time range whose orders are counted from one source: the roll-up by day or by hour of UTC, or the orders
 * themselves.
 */
export interface Span {
  source: 'day' | 'hour' | 'orders';
  /** The beginning of the zone's hour or day that it belongs to. */
  startsAt: number;
  from: number;
  to: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Cuts [from, to) into spans that count each moment once, from the cheapest source. Whole hours and days of UTC come
 * from the roll-up. The edges come from the orders, also where hours and days of the time zone begin within an hour of
 * UTC.
 */
export function figuresSpans({ from, to, grain, by, timeZone }: FiguresQuery): Span[] {
  const isByTime = by?.includes('time');
  const parts = isByTime ? zoneParts(timeZone ?? 'UTC', grain, from, to) : [{ startsAt: from, from, to }];
  return parts.flatMap(({ startsAt, ...part }) =>
    [
      ...cut('hour', hourMs, part, 'orders').flatMap((one) =>
        one.source === 'hour' ? cut('day', dayMs, one, 'hour') : [one],
      ),
    ].map((one) => ({ ...one, startsAt })),
  );
}

type Range = { from: number; to: number };
type Sourced = Range & { source: Span['source'] };

/** The whole units within a range, and the rest before and after them. */
function cut(whole: Span['source'], unitMs: number, { from, to }: Range, rest: Span['source']): Sourced[] {
  const first = Math.ceil(from / unitMs) * unitMs;
  const last = Math.floor(to / unitMs) * unitMs;
  const pieces: Sourced[] =
    first < last
      ? [
          { source: rest, from, to: first },
          { source: whole, from: first, to: last },
          { source: rest, from: last, to },
        ]
      : [{ source: rest, from, to }];
  return pieces.filter((piece) => piece.from < piece.to);
}
