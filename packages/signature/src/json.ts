import { checkFieldName } from './field-name.ts';
import { readEscape } from './json-escape.ts';
import { emptyObject, JsonNumber, type JsonObject, type JsonValue } from './json-value.ts';
import { MalformedRequest, quoted } from './malformed-request.ts';

/**
 * Parses a request body: one JSON object (RFC 8259) in UTF-8. Unlike `JSON.parse` it follows decisions 2.2 and 2.3:
 * duplicate keys and lone surrogates are refused, numbers keep their text, and absent values are dropped. It reads
 * every character once and limits the nesting, so a malicious body costs no more than a normal one.
 * @throws MalformedRequest
 */
export function parseBody(body: Uint8Array): JsonObject {
  return new Reader(decodeUtf8(body)).document();
}

const MAX_DEPTH = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Keeps a byte order mark (`ignoreBOM`), which the parser then refuses. */
function decodeUtf8(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new MalformedRequest('body is not valid UTF-8');
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

class Reader {
  private readonly text: string;
  private readonly number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): JsonObject {
    if (this.next() !== OPEN_BRACE) throw new MalformedRequest('body is not a JSON object');
    const fields = this.object(1) ?? emptyObject();
    this.next();
    if (this.at < this.text.length) throw this.invalid();
    return fields;
  }

  /**
   * Reads the next value; `undefined` if it counts as absent. `depth` is the nesting depth of the object or array
   * around it.
   */
  private value(depth: number): JsonValue | undefined {
    const code = this.next();
    switch (code) {
      case QUOTE:
        return this.string() || undefined;
      case OPEN_BRACE:
        return this.object(depth + 1);
      case OPEN_BRACKET:
        return this.array(depth + 1);
      case LOWER_T:
        return this.word('true', true);
      case LOWER_F:
        return this.word('false', false);
      case LOWER_N:
        return this.word('null', undefined);
      default:
        if (code === MINUS || (code >= ZERO && code <= NINE)) return this.numeral();
        throw this.invalid();
    }
  }

  private object(depth: number): JsonObject | undefined {
    this.open(depth);
    const fields = emptyObject();
    let dropped: Set<string> | undefined;
    let present = false;
    for (let first = true; this.more(CLOSE_BRACE, first); first = false) {
      if (this.next() !== QUOTE) throw this.invalid();
      const key = this.string();
      checkFieldName(key, depth === 1);
      if (key in fields || dropped?.has(key)) throw new MalformedRequest(`key ${quoted(key)} appears twice`);
      if (this.next() !== COLON) throw this.invalid();
      this.at += 1;
      const value = this.value(depth);
      if (value === undefined) {
        dropped = (dropped ?? new Set()).add(key);
      } else {
        fields[key] = value;
        present = true;
      }
    }
    return present ? fields : undefined;
  }

  /** Drops absent elements at the end. Absent elements in front of a present one stay as `''`. */
  private array(depth: number): JsonValue[] | undefined {
    this.open(depth);
    const elements: JsonValue[] = [];
    let present = 0;
    for (let first = true; this.more(CLOSE_BRACKET, first); first = false) {
      const value = this.value(depth);
      elements.push(value ?? '');
      if (value !== undefined) present = elements.length;
    }
    elements.length = present;
    return present > 0 ? elements : undefined;
  }

  private open(depth: number): void {
    if (depth > MAX_DEPTH) throw new MalformedRequest(`body is nested deeper than ${MAX_DEPTH} levels`);
    this.at += 1;
  }

  /** Reads the comma or the closing bracket. True if another member follows. */
  private more(close: number, first: boolean): boolean {
    const code = this.next();
    if (code === close) {
      this.at += 1;
      return false;
    }
    if (first) return true;
    if (code !== COMMA) throw this.invalid();
    this.at += 1;
    return true;
  }

  private numeral(): JsonNumber {
    this.number.lastIndex = this.at;
    const digits = this.number.exec(this.text)?.[0];
    if (digits === undefined) throw this.invalid();
    this.at += digits.length;
    return new JsonNumber(digits);
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.invalid();
    this.at += word.length;
    return value;
  }

  /** Reads a string. Nearly all strings contain no escape, so they are a slice of the text. */
  private string(): string {
    const { text } = this;
    let start = this.at + 1;
    let before = '';
    let escaped = false;
    for (let i = start; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) {
        this.at = i + 1;
        return escaped ? wellFormed(before + text.slice(start, i)) : text.slice(start, i);
      }
      if (code < 0x20) throw this.invalid(i);
      if (code !== BACKSLASH) continue;
      const letter = readEscape(text, i);
      if (letter === undefined) throw this.invalid(i);
      before += text.slice(start, i) + letter.text;
      start = letter.end;
      i = start - 1;
      escaped = true;
    }
    throw this.invalid(text.length);
  }

  /** Skips white space. Returns the next character code, or NaN at the end. */
  private next(): number {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.at += 1;
    }
  }

  private invalid(at = this.at): MalformedRequest {
    return new MalformedRequest(`body is not valid JSON at character ${at}`);
  }
}

/** Refuses lone surrogates. They can only come from escapes, because the text was decoded from UTF-8. */
function wellFormed(text: string): string {
  if (!text.isWellFormed()) throw new MalformedRequest('a string holds a lone surrogate');
  return text;
}
