import { addDays, dayOf, startOfDay } from './time.ts';

/** Periods with a name. Their days change with the current day. */
export const PERIODS: Readonly<Record<string, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

const DAYS = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/;

/** Whether a text of the page's URL is a period: a name, or days as `2026-01-01..2026-01-31` (either may be left out). */
export function isPeriod(text: string): boolean {
  return text in PERIODS || (DAYS.test(text) && text !== '..');
}

/** Start and end of a period in a zone. The end is not part of it. */
export function rangeOf(period: string | undefined, zone: string, now = new Date()): { from?: string; to?: string } {
  if (period === undefined) return {};
  const today = dayOf(now, zone);
  const days = (first: string, last: string | undefined) => between(first, last && addDays(last, 1), zone);
  if (period === 'today') return days(today, undefined);
  if (period === 'yesterday') return days(addDays(today, -1), addDays(today, -1));
  if (period === '7d') return days(addDays(today, -6), undefined);
  if (period === '30d') return days(addDays(today, -29), undefined);
  // Rounded to the minute, so that a page that is loaded again sends the same request.
  if (period === '24h')
    return { from: new Date(Math.floor(now.getTime() / 60_000) * 60_000 - 86_400_000).toISOString() };
  const [, first = '', last] = DAYS.exec(period) ?? [];
  return days(first, last);
}

function between(first: string, end: string | undefined, zone: string): { from?: string; to?: string } {
  const from = startOfDay(first, zone)?.toISOString();
  const to = end === undefined ? undefined : startOfDay(end, zone)?.toISOString();
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** A period as text for people. */
export function describePeriod(period: string): string {
  const named = PERIODS[period];
  if (named !== undefined) return named;
  const [, first, last] = DAYS.exec(period) ?? [];
  if (first !== undefined && last !== undefined) return first === last ? first : `${first} to ${last}`;
  return first === undefined ? `until ${last}` : `since ${first}`;
}

/** The first and last day of a period in a zone, both inclusive. `24h` counts as yesterday and today. */
export function daysOf(period: string, zone: string, now = new Date()): { firstDay: string; lastDay: string } {
  const today = dayOf(now, zone);
  const back: Readonly<Record<string, number>> = { today: 0, '24h': 1, '7d': 6, '30d': 29 };
  if (period === 'yesterday') return { firstDay: addDays(today, -1), lastDay: addDays(today, -1) };
  const days = back[period];
  if (days !== undefined) return { firstDay: addDays(today, -days), lastDay: today };
  const [, first = addDays(today, -29), last = today] = DAYS.exec(period) ?? [];
  return { firstDay: first, lastDay: last };
}
