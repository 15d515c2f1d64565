import { boundedText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import { isTimeZone, shiftDays, startOfDay } from '../../core/zone-time.ts';
import { anyOf, channelId, country, kind, merchantIds, orderStatus, text, time } from '../../lists/filter-parts.ts';

/** The dimensions by which figures are grouped. They are always grouped by currency too. */
export const dimensions = ['time', 'country', 'channel', 'merchant', 'status', 'kind', 'bank'] as const;
export type Dimension = (typeof dimensions)[number];

/** Days of a time zone that are counted until now, or as a whole. */
const figurePeriods = ['today', 'yesterday'] as const;
/** The period to compare with. */
const figureComparisons = ['day_before', 'week_before', 'period_before'] as const;

const hour = 3_600_000;
/** There is one hour more, because a change of clocks can make days longer. */
const longest = (400 * 24 + 1) * hour;
const maxByHour = (31 * 24 + 1) * hour;

const selected = {
  grain: z.enum(['hour', 'day']).nullish(),
  /** The time zone of the hours and days; default UTC. */
  timeZone: boundedText(256).refine(isTimeZone, 'must be the name of an IANA time zone, e.g. Asia/Kolkata').nullish(),
  by: z.array(z.enum(dimensions)).max(dimensions.length).nullish(),
  merchantIds,
  kind: kind.nullish(),
  countries: anyOf(country),
  channelIds: anyOf(channelId),
  bankCodes: anyOf(text),
  statuses: anyOf(orderStatus),
  /** Whether to compute completion times too, which costs more. */
  withTimes: z.boolean().nullish(),
};

/** The request of a caller: a named period, or the orders created from `from` to before `to`. */
export const figuresRequest = z
  .strictObject({
    from: time.nullish(),
    to: time.nullish(),
    period: z.enum(figurePeriods).nullish(),
    compareFrom: time.nullish(),
    compareWith: z.enum(figureComparisons).nullish(),
    ...selected,
  })
  .refine(({ from, to, period }) => (period == null ? from != null && to != null : from == null && to == null), {
    path: ['period'],
    error: 'must be set, or from and to, but not both',
  })
  .refine(({ from, to }) => from == null || to == null || from < to, { path: ['to'], error: 'must lie after from' })
  .refine(({ from, to }) => from == null || to == null || to - from <= longest, {
    path: ['to'],
    error: 'must be at most 400 days after from',
  })
  .refine(
    ({ from, to, grain, by }) =>
      from == null || to == null || grain !== 'hour' || !by?.includes('time') || to - from <= maxByHour,
    { path: ['to'], error: 'must be at most 31 days after from when grouped by hour' },
  )
  .refine(({ compareFrom, compareWith }) => compareFrom == null || compareWith == null, {
    path: ['compareWith'],
    error: 'must not be set together with compareFrom',
  })
  .refine(({ by, withTimes, merchantIds: named }) => !withTimes || named != null || !by?.includes('merchant'), {
    path: ['withTimes'],
    error: 'needs merchantIds where by has MERCHANT',
  });
export type FiguresRequest = z.infer<typeof figuresRequest>;

type Selected = { [Name in keyof typeof selected]?: FiguresRequest[Name] };

/** The orders to count, from `from` to before `to`, and their groups. */
export interface FiguresQuery extends Selected {
  from: number;
  to: number;
}

/** The orders that a request asks for, and those of the period to compare with; null if it names none. */
export function queriesOf(
  { period, compareFrom, compareWith, from, to, ...selection }: FiguresRequest,
  now: number,
): { requested: FiguresQuery; compared: FiguresQuery | null } {
  const zone = selection.timeZone ?? 'UTC';
  const range = period == null ? { from: from ?? 0, to: to ?? 0 } : rangeOf(period, zone, now);
  const compared = comparedRange(range, zone, compareFrom ?? null, compareWith ?? null);
  return { requested: { ...selection, ...range }, compared: compared && { ...selection, ...compared } };
}

type Range = Pick<FiguresQuery, 'from' | 'to'>;

function rangeOf(period: (typeof figurePeriods)[number], zone: string, now: number): Range {
  const today = startOfDay(zone, now);
  // Just at midnight a day of one millisecond, so that it is never empty.
  return period === 'today'
    ? { from: today, to: Math.max(now, today + 1) }
    : { from: startOfDay(zone, today - 1), to: today };
}

function comparedRange(
  { from, to }: Range,
  zone: string,
  compareFrom: number | null,
  compareWith: (typeof figureComparisons)[number] | null,
): Range | null {
  if (compareFrom !== null) return { from: compareFrom, to: compareFrom + (to - from) };
  if (compareWith === null) return null;
  if (compareWith === 'period_before') return { from: Math.max(0, from - (to - from)), to: from };
  const days = compareWith === 'day_before' ? -1 : -7;
  return { from: shiftDays(zone, from, days), to: shiftDays(zone, to, days) };
}
