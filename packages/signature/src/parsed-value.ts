import { emptyObject, JsonNumber, type JsonObject, type JsonValue } from './json-value.ts';

/**
 * A value as the reader leaves it. An object is a list of its members, because most requests are first signed over, and
 * become plain objects only after their signature was verified. It has no absent members, and no absent elements at the end.
 */
export type Parsed = string | boolean | JsonNumber | Parsed[] | Members;

/** An object: its members in the order of the text. */
export class Members {
  readonly list: Member[] = [];
  /** Whether a key may have a unit from U+E000 on. UTF-16 orders these behind surrogates, and code points before them. */
  isHigh = false;

  add(key: string, value: Parsed): void {
    const after = stepAfter(value);
    this.list.push({ key, step: after === '' ? key : key + after, value });
  }
}

export interface Member {
  readonly key: string;
  /** The key and what follows it in a path (`stepAfter`). */
  readonly step: string;
  readonly value: Parsed;
}

/** What follows a key or an index in the paths of its value. */
export function stepAfter(value: Parsed): '.' | '[' | '' {
  if (value instanceof Members) return '.';
  return Array.isArray(value) ? '[' : '';
}

/** The value as plain objects. */
export function plainObject({ list }: Members): JsonObject {
  const object = emptyObject();
  for (const { key, value } of list) object[key] = plainValue(value);
  return object;
}

function plainValue(value: Parsed): JsonValue {
  if (typeof value !== 'object' || value instanceof JsonNumber) return value;
  return Array.isArray(value) ? value.map(plainValue) : plainObject(value);
}
