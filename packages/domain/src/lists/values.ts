/** Adds a value to a statement, and returns its placeholder. */
export type Add = (value: unknown) => string;

/** Collects the values of one statement, in the order of their placeholders. */
export function collectValues(): { values: unknown[]; add: Add } {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

/** SQL of a Unix time in milliseconds as a timestamp, exact to the millisecond like every time column. */
export function asTime(placeholder: string): string {
  return `to_timestamp(${placeholder}::float8 / 1000)::timestamptz(3)`;
}

/** ` where …` with all of these conditions; empty without any. */
export function whereAll(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}
