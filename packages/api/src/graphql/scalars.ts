import { refusal } from '../errors/errors.ts';
import { builder } from './builder.ts';
import { writeDateTime } from './write-date-time.ts';

const texts = {
  Decimal: 'a Decimal is text such as "1250.00", with at most two decimals',
  Percentage: 'a Percentage is text such as "2.5", from 0 to 100',
  Secrets: 'Secrets are an object of texts, given as a variable',
  DateTime: 'a DateTime is RFC 3339 text such as "2026-11-21T03:57:51Z"',
};

/** Messages for values of a wrong form. They do not repeat the value. */
export const scalarTexts: readonly string[] = Object.values(texts);

builder.scalarType('Decimal', {
  description:
    'Exact decimal number as text, with two decimals on output, e.g. "1250.00". Never a JSON number. The currency is a separate field.',
  serialize: (value) => {
    if (!isDecimal(value)) throw new Error(`not a decimal: ${value}`);
    return value;
  },
  parseValue: (value) => {
    if (!isDecimal(value)) throw refusal('BAD_USER_INPUT', texts.Decimal);
    return value;
  },
});

function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && /^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,2})?$/.test(value);
}

builder.scalarType('Percentage', {
  description:
    'A percentage from 0 to 100 as text, with at most four decimals, e.g. "2.5" or "0.3500". Never a JSON number.',
  serialize: (value) => {
    if (!isPercentage(value)) throw new Error(`not a percentage: ${value}`);
    return value;
  },
  parseValue: (value) => {
    if (!isPercentage(value)) throw refusal('BAD_USER_INPUT', texts.Percentage);
    return value;
  },
});

function isPercentage(value: unknown): value is string {
  return typeof value === 'string' && /^(100(\.0{1,4})?|[0-9]{1,2}(\.[0-9]{1,4})?)$/.test(value);
}

builder.scalarType('Secrets', {
  description: 'Secret texts by name, as a JSON object. They are sealed on arrival and never returned.',
  serialize: () => {
    throw new Error('secrets are never returned');
  },
  parseValue: (value) => {
    if (!isTexts(value)) throw refusal('BAD_USER_INPUT', texts.Secrets);
    return value;
  },
});

function isTexts(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}

builder.scalarType('DateTime', {
  description: 'Time as RFC 3339 text, e.g. "2026-11-21T03:57:51.120Z". Output is in UTC with milliseconds.',
  serialize: (value) => {
    if (typeof value !== 'number') throw new Error(`not Unix milliseconds: ${value}`);
    return writeDateTime(value);
  },
  parseValue: (value) => {
    const moment = typeof value === 'string' ? readDateTime(value) : null;
    if (moment === null) throw refusal('BAD_USER_INPUT', texts.DateTime);
    return moment;
  },
});

const rfc3339 = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** RFC 3339 text as Unix milliseconds, without finer digits; null for anything else. */
export function readDateTime(text: string): number | null {
  const day = rfc3339.exec(text)?.[1];
  if (day === undefined) return null;
  const midnight = new Date(`${day}T00:00:00Z`);
  // JavaScript reads the 30th of February as the 2nd of March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  return Date.parse(text.toUpperCase());
}
