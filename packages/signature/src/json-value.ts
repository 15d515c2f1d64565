/**
 * A number with its original text, e.g. `100.50` or `1e2`. Amounts are checked by this text and never become a double.
 */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** Written as a string, because another parser could lose digits of a number. */
  toJSON(): string {
    return this.text;
  }
}

/**
 * A parsed request without absent values (decisions 2.2). Absent are `null`, `''`, `{}`, `[]`, and everything that
 * contains only these. An absent array element in front of a present one stays as `''`, so that the present one keeps
 * its index. Objects have no prototype.
 */
export type JsonValue = string | boolean | JsonNumber | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** Makes an object without a prototype, in which `constructor` is a key like any other. */
export function emptyObject(): JsonObject {
  return Object.create(null);
}
