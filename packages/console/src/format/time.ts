type TimeFormat = 'dayMonth' | 'dayMonthYear' | 'minute' | 'second' | 'exact';

const OPTIONS: Record<TimeFormat, Intl.DateTimeFormatOptions> = {
  dayMonth: { day: 'numeric', month: 'short' },
  dayMonthYear: { day: 'numeric', month: 'short', year: 'numeric' },
  minute: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  exact: {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    timeZoneName: 'longOffset',
  },
};

const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A time in a zone: day and month, with the year, to the minute, to the second of the day, or exact with its offset. */
export function formatTime(iso: string | Date, zone: string, format: TimeFormat): string {
  const key = `${format} ${zone}`;
  let formatter = formats.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-GB', { ...OPTIONS[format], hourCycle: 'h23', timeZone: zone });
    formats.set(key, formatter);
  }
  return formatter.format(new Date(iso));
}

/** The calendar day of a time in a zone, as `2026-01-31`. */
export function dayOf(time: Date, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(time);
}

/** The moment at which a day (`2026-01-31`) begins in a zone. Null for what is no day. */
export function startOfDay(day: string, zone: string): Date | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? momentOf(`${day}T00:00`, zone) : null;
}

/**
 * The moment at which the clocks of a zone show a time (`2026-01-31T09:30`). Of two such moments, the earlier. A time that
 * the clocks skip is moved later by the skipped time. Null for what is no time.
 */
export function momentOf(local: string, zone: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(local)) return null;
  const utc = Date.parse(`${local}Z`);
  if (Number.isNaN(utc)) return null;
  // Clocks change at most once in two days.
  const [before, after] = [-DAY_MS, DAY_MS].map((ms) => offsetMs(new Date(utc + ms), zone)) as [number, number];
  const fits = [before, after].map((offset) => new Date(utc - offset)).filter((at) => +at + offsetMs(at, zone) === utc);
  return fits.toSorted((a, b) => +a - +b)[0] ?? new Date(utc - before);
}

/** A moment as a field for times has it: `2026-01-31T09:30`, by the clocks of a zone. */
export function localTimeOf(at: Date, zone: string): string {
  return new Date(at.getTime() + offsetMs(at, zone)).toISOString().slice(0, 16);
}

/** The day some days later, as `2026-01-31`. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** How far a zone is ahead of UTC at a moment. */
function offsetMs(at: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - Math.floor(at.getTime() / 1_000) * 1_000;
}

/** A length of time in the largest two units that matter, for example `2 h 5 min` or `340 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return withRest(seconds, 60, 'min', 's');
  if (seconds < 86_400) return withRest(Math.floor(seconds / 60), 60, 'h', 'min');
  return withRest(Math.floor(seconds / 3_600), 24, 'd', 'h');
}

function withRest(count: number, size: number, unit: string, smaller: string): string {
  const rest = count % size;
  return `${Math.floor(count / size)} ${unit}${rest > 0 ? ` ${rest} ${smaller}` : ''}`;
}
