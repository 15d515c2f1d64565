/**
 * A number of the JSON text, with its original text (`100.50`, `1e2`). Amounts are checked by the text, never as a
 * double.
 */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** As text, because a JSON number could lose digits in another parser. */
  toJSON(): string {
    return this.text;
  }
}

/**
 * A parsed request, without absent values (decisions 2.2): `null`, `''`, `{}`, `[]`, and everything that becomes one of
 * these. An absent array element before a present one stays as `''`, so that each element keeps its signed index.
 * Objects have no prototype.
 */
export type JsonValue = string | boolean | JsonNumber | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** An object without prototype: a key named `constructor` is only a key. */
export function emptyObject(): JsonObject {
  return Object.create(null);
}
