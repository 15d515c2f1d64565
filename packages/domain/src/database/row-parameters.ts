import type { Column, Statement } from './columns.ts';

/** A statement that writes rows. */
export interface WritingStatement extends Statement {
  /** The parameters for the core's own objects. */
  valuesOf(rows: readonly object[]): unknown[];
}

/** All rows as one JSON text. */
export function asJson(rows: readonly object[]): unknown[] {
  return [JSON.stringify(rows)];
}

/** One array for each column. PostgreSQL reads many rows from arrays in less time than from JSON (ADR 0025). */
export function asArrays(columns: readonly Column[]): WritingStatement['valuesOf'] {
  const cellOf = (row: object, property: string): unknown => (row as { [property: string]: unknown })[property];
  return (rows) =>
    columns.map(({ property, type }) =>
      arrayText(
        rows.map((row) => cellOf(row, property)),
        type === 'jsonb',
      ),
    );
}

/**
 * The values of one column as the text of a PostgreSQL array; null if all are null. `jsonb` values are written as JSON.
 * @throws Error for text that is not well-formed Unicode, because PostgreSQL would get another text
 */
export function arrayText(values: readonly unknown[], isJson: boolean): string | null {
  if (values.every((value) => value === null || value === undefined)) return null;
  const written = isJson ? values.map(jsonOrNull) : values;
  const json = JSON.stringify(written);
  // A JSON array of texts and numbers is a PostgreSQL array but for its brackets, and for escapes of other characters than " and \.
  if (!otherEscape.test(json)) return `{${json.slice(1, -1)}}`;
  return `{${written.map(elementText).join(',')}}`;
}

const otherEscape = /\\[^"\\]/;

function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function elementText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value ?? null);
  if (!value.isWellFormed()) throw new Error('a text of the ledger is not well-formed Unicode');
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
