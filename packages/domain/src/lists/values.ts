/** Takes a value of a statement, and gives its placeholder. */
export type Add = (value: unknown) => string;

/** The values of one statement, in the order of their placeholders. */
export function collectValues(): { values: unknown[]; add: Add } {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

/** A Unix time in milliseconds as PostgreSQL's, exact to the millisecond like every time column. */
export function asTime(placeholder: string): string {
  return `to_timestamp(${placeholder}::float8 / 1000)::timestamptz(3)`;
}

/** ` where …` of all of these conditions; empty without any. */
export function whereAll(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}
