import type { CsvProfile } from '@tidegate/domain/reconciliation';
import { BadRow } from '../reading/bad-row.ts';
import type { LocalTime } from '../reading/dates.ts';

const months = 'january february march april may june july august september october november december'.split(' ');

/** The letters of a date format, and the part of a regular expression that reads each. */
const letters: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  yy: '(?<shortYear>\\d\\d)',
  MMM: '(?<name>[A-Za-z]{3,9}\\.?)',
  MM: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{1,2})',
  hh: '(?<hourOf12>\\d{1,2})',
  mm: '(?<minute>\\d\\d)',
  ss: '(?<second>\\d\\d)',
  a: '(?<half>[AaPp]\\.?[Mm]\\.?)',
};

// In the alternations below, `yyyy` comes before `yy`, and `MMM` before `MM`, because the first one that fits wins.

/** Characters of a date. Blanks around it count too. */
const longestDate = 200;

const patterns = new Map<string, RegExp>();

/** Reads a date in this format, with the time if the format has one. Throws BadRow for a text of another form. */
export function readDate(text: string, format: string, calendar: CsvProfile['calendar'] = 'gregorian'): LocalTime {
  if (text.length > longestDate) throw new BadRow(`the date is not like ${format}`);
  let pattern = patterns.get(format);
  if (pattern === undefined) {
    pattern = new RegExp(`^${sourceOf(format)}$`);
    patterns.set(format, pattern);
  }
  const parts = pattern.exec(text.trim())?.groups;
  if (parts === undefined) throw new BadRow(`the date is not like ${format}`);
  const time = timeOf(parts);
  return {
    year: yearOf(parts, calendar),
    month: parts.name === undefined ? Number(parts.month) : monthOf(parts.name),
    day: Number(parts.day),
    ...time,
  };
}

/** The regular expression of a format. */
function sourceOf(format: string): string {
  const parts = format.match(/yyyy|yy|MMM|MM|dd|HH|hh|mm|ss|a|\s+|[^A-Za-z0-9]|[A-Za-z0-9]/g) ?? [];
  const isDigits = (part = ''): boolean => letters[part]?.includes('\\d') === true;
  return parts
    .map((part, at) => {
      const letter = letters[part];
      if (letter === undefined) return /\s/.test(part) ? '\\s+' : part.replace(/[^A-Za-z0-9]/, '\\$&');
      // Without a separator, a spreadsheet that lost a zero would move digits into the next part: 1112026 is 1 November.
      const isJoined = isDigits(parts[at - 1]) || isDigits(parts[at + 1]);
      return isJoined ? letter.replace('{1,2}', '{2}') : letter;
    })
    .join('');
}

/** The month of `Nov`, `Nov.` or `November`; newer programs write `Sept`. 0 is no month. */
function monthOf(name: string): number {
  const known = name
    .toLowerCase()
    .replace('.', '')
    .replace(/^sept$/, 'sep');
  return months.findIndex((month) => known === month || known === month.slice(0, 3)) + 1;
}

/** Years of the Buddhist era, as in Thailand, are 543 ahead. */
function yearOf({ year, shortYear }: Record<string, string | undefined>, calendar: CsvProfile['calendar']): number {
  if (calendar === 'buddhist') return (shortYear === undefined ? Number(year) : 2500 + Number(shortYear)) - 543;
  return shortYear === undefined ? Number(year) : 2000 + Number(shortYear);
}

function timeOf({ hour, hourOf12, minute, second, half }: Record<string, string | undefined>): Partial<LocalTime> {
  if (hour === undefined && hourOf12 === undefined) return {};
  const of12 = Number(hourOf12);
  if (hourOf12 !== undefined && (of12 < 1 || of12 > 12)) throw new BadRow('the time does not exist');
  const read = hour === undefined ? (of12 % 12) + (half?.toLowerCase().startsWith('p') ? 12 : 0) : Number(hour);
  return { hour: read, minute: Number(minute ?? 0), second: Number(second ?? 0) };
}
