import { bytesOfUnit, type ContentMeter, contentBytes, contentLimits, isPlainUnit } from './content-limits.ts';
import { checkFieldName } from './field-name.ts';
import { endOfEscape } from './json-escape.ts';
import { JsonNumber } from './json-value.ts';
import { MalformedRequest, quoted } from './malformed-request.ts';
import { Members, type Parsed } from './parsed-value.ts';

/**
 * Parses a request body: one JSON object (RFC 8259) in UTF-8. Unlike `JSON.parse` it follows decisions 2.2, 2.3 and
 * 2.6: duplicate keys and lone surrogates are refused, numbers keep their text, absent values are dropped, and a
 * request over a limit is refused. It reads every character once.
 * @throws MalformedRequest
 */
export function parseBody(body: Uint8Array, meter: ContentMeter): Members {
  return new Reader(decodeUtf8(body), meter).document();
}

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
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const PERCENT = 0x25;
/** The first character behind the control characters outside ASCII. */
const FIRST_GRAPHIC = 0xa0;
const BEHIND_SURROGATES = 0xe000;

class Reader {
  private readonly text: string;
  private readonly meter: ContentMeter;
  private at = 0;
  /** The bytes of the last string in the content to sign, and whether it may have a unit from U+E000 on. */
  private bytes = 0;
  private isHigh = false;
  /** Whether the last string may have a character that no name may have. */
  private isSpecial = false;

  constructor(text: string, meter: ContentMeter) {
    this.text = text;
    this.meter = meter;
  }

  document(): Members {
    if (this.next() !== OPEN_BRACE) throw new MalformedRequest('body is not a JSON object');
    const fields = this.object(1, 0) ?? new Members();
    this.next();
    if (this.at < this.text.length) throw this.invalid();
    return fields;
  }

  /**
   * Reads the next value; `undefined` if it counts as absent. `depth` is the nesting depth of the object or array
   * around it, `path` the length of its path in the content to sign.
   */
  private value(depth: number, path: number): Parsed | undefined {
    this.meter.value();
    const code = this.next();
    switch (code) {
      case QUOTE: {
        const text = this.string();
        return text === '' ? undefined : this.leaf(path, this.bytes, text);
      }
      case OPEN_BRACE:
        return this.object(depth + 1, path + 1);
      case OPEN_BRACKET:
        return this.array(depth + 1, path + 1);
      case LOWER_T:
        return this.leaf(path, 4, this.word('true', true));
      case LOWER_F:
        return this.leaf(path, 5, this.word('false', false));
      case LOWER_N:
        return this.word('null', undefined);
      default: {
        if (code !== MINUS && !isDigit(code)) throw this.invalid();
        const digits = this.numeral();
        return this.leaf(path, digits.length, new JsonNumber(digits));
      }
    }
  }

  /** A value that is a pair of the content to sign. */
  private leaf<Value>(path: number, bytes: number, value: Value): Value {
    this.meter.pair(path, bytes);
    return value;
  }

  /** `path` is the length of the path before the keys. */
  private object(depth: number, path: number): Members | undefined {
    this.open(depth);
    const fields = new Members();
    const keys = new Set<string>();
    for (let first = true; this.more(CLOSE_BRACE, first); first = false) {
      if (this.next() !== QUOTE) throw this.invalid();
      this.meter.member();
      const key = this.string();
      const { bytes } = this;
      fields.isHigh ||= this.isHigh;
      checkFieldName(key, depth === 1, this.isSpecial);
      if (keys.has(key)) throw new MalformedRequest(`key ${quoted(key)} appears twice`);
      keys.add(key);
      if (this.next() !== COLON) throw this.invalid();
      this.at += 1;
      const value = this.value(depth, path + bytes);
      if (value !== undefined) fields.add(key, value);
    }
    return fields.list.length > 0 ? fields : undefined;
  }

  /** Drops absent elements at the end. Absent elements in front of a present one stay as `''`. */
  private array(depth: number, path: number): Parsed[] | undefined {
    this.open(depth);
    const elements: Parsed[] = [];
    let present = 0;
    for (let first = true; this.more(CLOSE_BRACKET, first); first = false) {
      const value = this.value(depth, path + digitsOf(elements.length) + 1);
      elements.push(value ?? '');
      if (value !== undefined) present = elements.length;
    }
    elements.length = present;
    return present > 0 ? elements : undefined;
  }

  private open(depth: number): void {
    if (depth > contentLimits.depth)
      throw new MalformedRequest(`body is nested deeper than ${contentLimits.depth} levels`);
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

  /** Reads the number that begins here. The caller checks what follows it. */
  private numeral(): string {
    const { text } = this;
    const start = this.at;
    const whole = text.charCodeAt(start) === MINUS ? start + 1 : start;
    if (!isDigit(text.charCodeAt(whole))) throw this.invalid();
    let end = text.charCodeAt(whole) === ZERO ? whole + 1 : endOfDigits(text, whole);
    if (text.charCodeAt(end) === DOT && isDigit(text.charCodeAt(end + 1))) end = endOfDigits(text, end + 1);
    const letter = text.charCodeAt(end);
    if (letter === LOWER_E || letter === UPPER_E) {
      const sign = text.charCodeAt(end + 1);
      const exponent = sign === PLUS || sign === MINUS ? end + 2 : end + 1;
      if (isDigit(text.charCodeAt(exponent))) end = endOfDigits(text, exponent);
    }
    this.at = end;
    return text.slice(start, end);
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.invalid();
    this.at += word.length;
    return value;
  }

  /** Reads a string, and measures it. Nearly all strings contain no escape, so they are a slice of the text. */
  private string(): string {
    const { text } = this;
    const start = this.at + 1;
    let larger = 0;
    let highest = 0;
    let special = false;
    let escaped = false;
    for (let i = start; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      if (isPlainUnit(unit)) continue;
      if (unit >= FIRST_GRAPHIC) {
        larger += bytesOfUnit(unit) - 1;
        if (unit > highest) highest = unit;
        continue;
      }
      if (unit === QUOTE) {
        this.at = i + 1;
        const found = escaped ? unescaped(text.slice(start - 1, i + 1)) : text.slice(start, i);
        this.bytes = escaped ? contentBytes(found) : found.length + larger;
        this.isHigh = highest >= BEHIND_SURROGATES;
        this.isSpecial = special;
        return found;
      }
      if (unit < 0x20) throw this.invalid(i);
      larger += bytesOfUnit(unit) - 1;
      special ||= unit !== PERCENT;
      if (unit !== BACKSLASH) continue;
      const end = endOfEscape(text, i);
      if (end === -1) throw this.invalid(i);
      i = end - 1;
      escaped = true;
      // An escape can be any character.
      highest = BEHIND_SURROGATES;
    }
    throw this.invalid(text.length);
  }

  /** Skips white space. Returns the next character code, or NaN at the end. */
  private next(): number {
    const { text } = this;
    let { at } = this;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      at += 1;
      code = text.charCodeAt(at);
    }
    this.at = at;
    return code;
  }

  private invalid(at = this.at): MalformedRequest {
    return new MalformedRequest(`body is not valid JSON at character ${at}`);
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** The number of digits of an index. */
function digitsOf(index: number): number {
  return index < 10 ? 1 : index < 100 ? 2 : index < 1_000 ? 3 : 4;
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/**
 * The text of a JSON string with its quotes, whose escapes were checked. Refuses lone surrogates. They can only come
 * from escapes, because the body was decoded from UTF-8.
 */
function unescaped(json: string): string {
  const text: string = JSON.parse(json);
  if (!text.isWellFormed()) throw new MalformedRequest('a string holds a lone surrogate');
  return text;
}
