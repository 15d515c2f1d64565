/** Hours and days of IANA time zones. Pure; all moments are Unix milliseconds. */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Whether the zone exists: `Asia/Kolkata`, `UTC`. Plain offsets are not allowed, because they have no daylight saving
 * time.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A part of a time range within one hour or day of a zone. */
export interface ZonePart {
  /** The beginning of the whole hour or day. */
  startsAt: number;
  from: number;
  /** Not in it any more. */
  to: number;
}

/**
 * Cuts [from, to) at the beginnings of a zone's hours or days. A day has 23 to 25 hours when clocks change. An hour
 * ends at the change, so that a repeated hour is two parts.
 */
export function zoneParts(zone: string, grain: 'hour' | 'day', from: number, to: number): ZonePart[] {
  const clock = clockOf(zone);
  const next = grain === 'hour' ? nextHour : nextDay;
  const parts: ZonePart[] = [];
  let startsAt = grain === 'hour' ? hourStart(clock, from) : dayStart(clock, dayNumber(clock, from));
  for (let at = from; at < to; ) {
    const end = next(clock, at);
    parts.push({ startsAt, from: at, to: Math.min(end, to) });
    at = end;
    startsAt = end;
  }
  return parts;
}

/** The beginning of the zone's day that contains this moment. */
export function startOfDay(zone: string, at: number): number {
  const clock = clockOf(zone);
  return dayStart(clock, dayNumber(clock, at));
}

/** The beginning of a day of the zone. `date` is midnight of that day's date in UTC. */
export function beginningOfDay(zone: string, date: number): number {
  return dayStart(clockOf(zone), Math.floor(date / dayMs));
}

/**
 * The same time of day `days` days later, or earlier if negative. If clocks skip that time, the first moment after it.
 */
export function shiftDays(zone: string, at: number, days: number): number {
  const clock = clockOf(zone);
  return momentOf(clock, clock(at) + days * dayMs);
}

/** The local time of a zone at a moment, as if it were UTC. */
type Clock = (at: number) => number;

function clockOf(zone: string): Clock {
  if (zone === 'UTC') return (at) => at;
  const format = new Intl.DateTimeFormat('en-u-hc-h23', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const seconds = Math.floor(at / 1_000) * 1_000;
    const shown: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(seconds)) shown[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (at - seconds);
  };
}

const dayNumber = (clock: Clock, at: number): number => Math.floor(clock(at) / dayMs);

function nextDay(clock: Clock, at: number): number {
  return dayStart(clock, dayNumber(clock, at) + 1);
}

/** The first moment of this local day; if clocks skipped it, a later one. */
function dayStart(clock: Clock, day: number): number {
  return momentOf(clock, day * dayMs);
}

/** The moment at which the clock shows `local`; if clocks skipped it, a later one. */
function momentOf(clock: Clock, local: number): number {
  const isThere = (at: number): boolean => clock(at) >= local;
  // Nearly always the offset is the same before and after.
  const guess = local - (clock(local) - local);
  if (clock(guess) === local && !isThere(guess - 1) && !isThere(guess - hourMs)) return guess;
  return firstMoment(local - dayMs, local + dayMs, isThere);
}

/** The first moment in (before, after] for which it holds, where it holds from then on. */
function firstMoment(before: number, after: number, holds: (at: number) => boolean): number {
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

const offsetAt = (clock: Clock, at: number): number => clock(at) - at;

function nextHour(clock: Clock, at: number): number {
  const shown = clock(at);
  const end = at + hourMs - (shown - Math.floor(shown / hourMs) * hourMs);
  const offset = offsetAt(clock, at);
  if (offsetAt(clock, end - 1) === offset) return end;
  return firstMoment(at, end - 1, (moment) => offsetAt(clock, moment) !== offset);
}

function hourStart(clock: Clock, at: number): number {
  const shown = clock(at);
  const start = at - (shown - Math.floor(shown / hourMs) * hourMs);
  const offset = offsetAt(clock, at);
  if (offsetAt(clock, start) === offset) return start;
  return firstMoment(start, at, (moment) => offsetAt(clock, moment) === offset);
}
