import type * as z from 'zod';
import { readJson } from './read-json.ts';

/** A JSON column, or sealed JSON, does not have the shape that every release writes. Names the column, never its value. */
export class UnreadableColumn extends Error {
  constructor(column: string, problem: string, where: string) {
    super(`${column} cannot be read: ${problem}${where === '' ? '' : ` at ${where}`}`);
    this.name = 'UnreadableColumn';
  }
}

/** Columns hold files' positions and lists, which are longer than messages. */
const columnLimit = 16 * 1_024 * 1_024;

/** Reads a column with JSON as text, also one that was sealed. Throws `UnreadableColumn`. `column`: `table.column`. */
export function readTextColumn<T>(column: string, text: string, schema: z.ZodType<T>): T {
  const read = readJson(text, schema, columnLimit);
  if (!read.ok) throw new UnreadableColumn(column, read.problem, read.where);
  return read.value;
}
