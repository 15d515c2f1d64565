import { BadRow } from '../reading/bad-row.ts';
import type { LocalTime } from '../reading/dates.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The letters of a date format, and the part of a regular expression that reads each. */
const letters: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  yy: '(?<shortYear>\\d\\d)',
  MMM: '(?<name>[A-Za-z]{3})',
  MM: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{1,2})',
  hh: '(?<hourOf12>\\d{1,2})',
  mm: '(?<minute>\\d\\d)',
  ss: '(?<second>\\d\\d)',
  a: '(?<half>[AaPp][Mm])',
};

/** Whether a format has day, month and year, each once. */
export function isDateFormat(format: string): boolean {
  const found: string[] = format.match(/yyyy|yy|MMM|MM|dd|HH|hh|mm|ss|a/g) ?? [];
  const has = (...names: string[]) => found.filter((name) => names.includes(name)).length === 1;
  const isWhole = has('yyyy', 'yy') && has('MM', 'MMM') && has('dd') && new Set(found).size === found.length;
  return isWhole && found.includes('hh') === found.includes('a') && !(found.includes('hh') && found.includes('HH'));
}

// In the alternations below, `yyyy` comes before `yy`, and `MMM` before `MM`, because the first one that fits wins.

const patterns = new Map<string, RegExp>();

/** Reads a date in this format, with the time if the format has one. Throws BadRow for a text of another form. */
export function readDate(text: string, format: string): LocalTime {
  let pattern = patterns.get(format);
  if (pattern === undefined) {
    const source = format.replace(/yyyy|yy|MMM|MM|dd|HH|hh|mm|ss|a|[^A-Za-z0-9]|[A-Za-z0-9]/g, (part) => {
      return letters[part] ?? (/\s/.test(part) ? '\\s+' : part.replace(/[^A-Za-z0-9]/, '\\$&'));
    });
    pattern = new RegExp(`^${source}$`);
    patterns.set(format, pattern);
  }
  const parts = pattern.exec(text.trim())?.groups;
  if (parts === undefined) throw new BadRow(`the date is not like ${format}`);
  const time = timeOf(parts);
  return {
    year: parts.shortYear === undefined ? Number(parts.year) : 2000 + Number(parts.shortYear),
    month: parts.name === undefined ? Number(parts.month) : months.indexOf(parts.name.toLowerCase()) + 1,
    day: Number(parts.day),
    ...time,
  };
}

function timeOf({ hour, hourOf12, minute, second, half }: Record<string, string | undefined>): Partial<LocalTime> {
  if (hour === undefined && hourOf12 === undefined) return {};
  const of12 = Number(hourOf12);
  if (hourOf12 !== undefined && (of12 < 1 || of12 > 12)) throw new BadRow('the time does not exist');
  const read = hour === undefined ? (of12 % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
  return { hour: read, minute: Number(minute ?? 0), second: Number(second ?? 0) };
}
