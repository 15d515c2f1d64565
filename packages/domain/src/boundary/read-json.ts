import type * as z from 'zod';

/** Why data from outside of the process was rejected. */
export type DataProblem = 'too_large' | 'not_json' | 'wrong_shape';

/** `where`: the path of the first wrong value, e.g. `changes.0.type`. It contains no value. */
export type ReadData<T> = { ok: true; value: T } | { ok: false; problem: DataProblem; where: string };

/** The most bytes of a text, unless a reader says otherwise. */
const usualLimit = 256 * 1_024;

/**
 * The one way from JSON text to a value: bounded, parsed, then read by a schema. A text over the limit is not parsed.
 * Schemas ignore keys that they do not know, so that processes of other releases are understood.
 */
export function readJson<T>(text: string, schema: z.ZodType<T>, maxBytes = usualLimit): ReadData<T> {
  // A character has at least one byte, so most long texts need no count.
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes)
    return { ok: false, problem: 'too_large', where: '' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'not_json', where: '' };
  }
  return readData(value, schema);
}

/** The same for a value that a driver has parsed already: a reply of Redis, the data of a job, a JSON column. */
export function readData<T>(value: unknown, schema: z.ZodType<T>): ReadData<T> {
  const read = schema.safeParse(value);
  if (read.success) return { ok: true, value: read.data };
  const path = read.error.issues[0]?.path ?? [];
  return { ok: false, problem: 'wrong_shape', where: path.map((part) => String(part).slice(0, 40)).join('.') };
}
