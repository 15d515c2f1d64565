/** A number of the JSON text, kept exactly as it stands there (`100.50`, `1e2`): amounts are judged by it, never by a double. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** Text again, as a JSON number read elsewhere could lose digits. */
  toJSON(): string {
    return this.text;
  }
}

/**
 * What a request says, without what counts as absent (decisions 2.2): `null`, `''`, `{}`, `[]`, and whatever becomes one of
 * these. An absent array element before a present one stays as `''`, so that each element keeps the index it was signed with.
 * Objects have no prototype.
 */
export type JsonValue = string | boolean | JsonNumber | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** An object without prototype: a key named `constructor` is only a key. */
export function emptyObject(): JsonObject {
  return Object.create(null);
}
