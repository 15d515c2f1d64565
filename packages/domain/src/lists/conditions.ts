import { type Add, asTime } from './values.ts';

/** The conditions without the absent ones. */
export function given(...conditions: (string | null)[]): string[] {
  return conditions.filter((condition) => condition !== null);
}

/** `column` has this value. Null, and so no condition, if there is no value. */
export function is(column: string, value: string | boolean | null | undefined, add: Add): string | null {
  return value == null ? null : `${column} = ${add(value)}`;
}

/** `column` has one of these values. */
export function isOneOf(column: string, values: readonly string[] | null | undefined, add: Add): string | null {
  return values == null ? null : `${column} = any(${add(values)}::text[])`;
}

/** `column` is at or after `from`, and before `to`, both in Unix milliseconds. */
export function isWithin(
  column: string,
  from: number | null | undefined,
  to: number | null | undefined,
  add: Add,
): string[] {
  return given(
    from == null ? null : `${column} >= ${asTime(add(from))}`,
    to == null ? null : `${column} < ${asTime(add(to))}`,
  );
}

/** One of the columns contains this text, whatever its case. */
export function hasText(columns: readonly string[], text: string | null | undefined, add: Add): string | null {
  if (text == null) return null;
  const pattern = add(`%${text.replace(/[\\%_]/g, '\\$&')}%`);
  return `(${columns.map((column) => `${column} ilike ${pattern}`).join(' or ')})`;
}

/** An approval `t` decides about this object, alone or among others. */
export function isAbout(object: string): string {
  return `(t.subject = ${object} or ${object} = any(t.also_subjects))`;
}
