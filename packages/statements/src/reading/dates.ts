import { BadRow } from './bad-row.ts';

/** Local date and time without a zone. */
export interface LocalTime {
  year: number;
  month: number;
  day: number;
  hour?: number;
  minute?: number;
  second?: number;
}

/** `YYYY-MM-DD` of a day that exists, between 1990 and 2199. Throws BadRow for others. */
export function dayText({ year, month, day }: LocalTime): string {
  const isInside = year >= 1990 && year <= 2199 && month >= 1 && month <= 12 && day >= 1;
  if (!isInside || day > daysOf(year, month)) throw new BadRow('the date does not exist');
  return `${year}-${two(month)}-${two(day)}`;
}

/** `2026-11-22`, also with a time or a zone after it. */
export function readIsoDay(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?:Z|[+-]\d\d:\d\d|T.*)?$/.exec(text.trim()) ?? [];
  if (year === undefined) throw new BadRow('the date cannot be read');
  return dayText({ year: Number(year), month: Number(month), day: Number(day) });
}

/** `2026-11-22T10:00:00+05:30`, with any part of a second. Without a zone it is in `timeZone`. Unix milliseconds. */
export function readIsoTime(text: string, timeZone: string): number {
  const pattern = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/;
  const [, year, month, day, hour, minute, second, fraction = '', zone] = pattern.exec(text.trim()) ?? [];
  if (year === undefined) throw new BadRow('the time cannot be read');
  const local = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  };
  const milliseconds = Math.floor(Number(`0${fraction}`) * 1_000);
  return (zone === undefined ? instantOf(local, timeZone) : asUtc(local) - offsetOf(zone)) + milliseconds;
}

/**
 * Unix milliseconds of a local time in a zone. When clocks are set back, the same local time occurs twice; then the
 * first is used.
 */
export function instantOf(local: LocalTime, timeZone: string): number {
  const utc = asUtc(local);
  // The first try uses an offset that can be wrong near a change of the clock. The second try corrects it.
  const guess = utc - zoneOffset(utc - zoneOffset(utc, timeZone), timeZone);
  const earlier = utc - zoneOffset(guess - 3 * 3_600_000, timeZone);
  return earlier < guess && earlier + zoneOffset(earlier, timeZone) === utc ? earlier : guess;
}

/** The day, `YYYY-MM-DD`, on which an instant is in a zone. */
export function dayIn(unixMs: number, timeZone: string): string {
  if (!Number.isSafeInteger(unixMs) || unixMs < 631_152_000_000 || unixMs >= 7_258_118_400_000)
    throw new BadRow('the date does not exist');
  return new Date(unixMs + zoneOffset(unixMs, timeZone)).toISOString().slice(0, 10);
}

/** The day that is `count` days after another, or before it. */
export function daysAfter(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
}

export function earlierDay(one: string, other: string): string {
  return [one, other].toSorted()[0] ?? one;
}

/** Reads Unix seconds from JSON. Returns Unix milliseconds. */
export function readUnixSeconds(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0)
    throw new BadRow(`${what} is not a time`);
  return value * 1_000;
}

function asUtc(local: LocalTime): number {
  dayText(local);
  const { year, month, day, hour = 0, minute = 0, second = 0 } = local;
  // 24:00:00 is the end of the day in ISO 8601, and a leap second is the next second.
  const isTime = hour <= 23 ? minute <= 59 && second <= 60 : hour === 24 && minute === 0 && second === 0;
  if (!isTime) throw new BadRow('the time does not exist');
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 14 || minutes > 59) throw new BadRow('the time zone does not exist');
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

const two = (value: number) => String(value).padStart(2, '0');

const clocks = new Map<string, Intl.DateTimeFormat>();
/** Offsets by zone and quarter of an hour. Within a quarter of an hour no zone changes its clock. */
const offsets = new Map<string, number>();
const quarterMs = 900_000;
const maxOffsets = 10_000;

/** How far the clock of a zone is ahead of UTC, in milliseconds. Throws RangeError for a zone that does not exist. */
function zoneOffset(unixMs: number, timeZone: string): number {
  const quarter = Math.floor(unixMs / quarterMs);
  const key = `${timeZone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    const numeric = 'numeric' as const;
    const date = { year: numeric, month: numeric, day: numeric };
    const time = { hour: numeric, minute: numeric, second: numeric, hourCycle: 'h23' as const };
    clock = new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory', ...date, ...time });
    clocks.set(timeZone, clock);
  }
  const start = quarter * quarterMs;
  const shown = Object.fromEntries(clock.formatToParts(start).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  const offset = Date.UTC(year, month - 1, day, hour, minute, second) - start;
  if (offsets.size >= maxOffsets) offsets.clear();
  offsets.set(key, offset);
  return offset;
}
