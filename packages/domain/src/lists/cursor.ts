import * as z from 'zod';
import { readJson } from '../boundary/read-json.ts';
import { type Key, keyColumns, type ListName, type Part } from './keys.ts';

/** Opaque to the client, but not secret: it only encodes where the next page begins. */
export function writeCursor(list: ListName, key: Key): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url');
}

/** Longer than any cursor that is written. */
const longest = 512;

/** The key in a cursor of this list; null for anything else. */
export function readCursor(list: ListName, cursor: string): Key | null {
  if (cursor.length > longest || !/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
  const read = readJson(Buffer.from(cursor, 'base64url').toString(), z.array(z.unknown()), longest);
  if (!read.ok || read.value[0] !== list) return null;
  const [, ...key] = read.value;
  const columns = keyColumns(list);
  const isKey = key.length === columns.length && columns.every(([, part], i) => fits(part, key[i]));
  return isKey ? (key as Key) : null;
}

/** The end of the year 9999. */
const lastTime = 253_402_300_799_999;

function fits(part: Part, value: unknown): boolean {
  switch (part) {
    case 'time':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= lastTime;
    case 'number':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    case 'decimal':
      return typeof value === 'string' && /^[0-9]{1,16}(\.[0-9]{1,2})?$/.test(value);
    case 'day':
      return typeof value === 'string' && isDay(value);
    case 'text':
      return typeof value === 'string' && value.length <= 300 && !value.includes('\0');
    default:
      return part satisfies never;
  }
}

function isDay(text: string): boolean {
  const day = /^[12]\d{3}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
