import { orderOf } from './code-point-order.ts';
import { type ContentMeter, contentBytes } from './content-limits.ts';
import { type Member, Members, type Parsed, stepAfter } from './parsed-value.ts';

/**
 * The UTF-8 bytes of the content to sign (decisions 2.2). Its paths are in code point order. The members of each object
 * are sorted by themselves, so that a long path above many values is never compared. A member's step ends with what
 * follows it in a path, and no key contains these characters. So no step is the start of another one, unless it is a
 * leaf's.
 */
export function writeContent(fields: Members, meter: ContentMeter, timestamp: string, nonce: string): Uint8Array {
  const all = new Members();
  all.isHigh = fields.isHigh;
  all.list.push(...fields.list);
  all.add('timestamp', timestamp);
  all.add('nonce', nonce);
  const bytes = meter.bytes + contentBytes(`timestamp${timestamp}nonce${nonce}`) + 4;
  const writer = new ContentWriter(bytes, Math.max(meter.longestPath, 'timestamp'.length));
  writer.members(all);
  return writer.content();
}

class ContentWriter {
  private readonly bytes: Uint8Array;
  private end = 0;
  /** The escaped path of the current value. */
  private readonly path: Uint8Array;
  private pathEnd = 0;

  constructor(bytes: number, longestPath: number) {
    this.bytes = new Uint8Array(bytes);
    this.path = new Uint8Array(longestPath);
  }

  /** Without the `&` behind the last pair. */
  content(): Uint8Array {
    return this.bytes.subarray(0, this.end - 1);
  }

  members({ list, isHigh }: Members): void {
    const sorted = list.length < 2 ? list : isHigh ? byCodePoints(list) : list.toSorted(byUnits);
    for (const { step, value } of sorted) this.below(step, value);
  }

  /** Writes a value whose path ends with `step`. */
  private below(step: string, value: Parsed): void {
    const before = this.pathEnd;
    this.pathEnd = write(this.path, before, step);
    if (value instanceof Members) this.members(value);
    else if (Array.isArray(value)) this.elements(value);
    else this.pair(typeof value === 'string' ? value : String(value));
    this.pathEnd = before;
  }

  /**
   * Elements are in the order of the text `index]`. `]` comes after all digits, so an index follows those that begin
   * with it: 0, 10, 1, 2.
   */
  private elements(elements: readonly Parsed[]): void {
    this.element(elements, 0);
    for (let first = 1; first <= 9; first += 1) this.elementsFrom(elements, first);
  }

  private elementsFrom(elements: readonly Parsed[], index: number): void {
    if (index >= elements.length) return;
    for (let digit = 0; digit <= 9; digit += 1) this.elementsFrom(elements, 10 * index + digit);
    this.element(elements, index);
  }

  /** An absent element, `''`, is left out. */
  private element(elements: readonly Parsed[], index: number): void {
    const value = elements[index];
    if (value !== undefined && value !== '') this.below(`${index}]${stepAfter(value)}`, value);
  }

  private pair(text: string): void {
    const { bytes, path, pathEnd } = this;
    if (pathEnd >= LONG) bytes.set(path.subarray(0, pathEnd), this.end);
    else for (let i = 0; i < pathEnd; i += 1) bytes[this.end + i] = path[i] as number;
    bytes[this.end + pathEnd] = EQUALS;
    const end = write(bytes, this.end + pathEnd + 1, text);
    bytes[end] = AMPERSAND;
    this.end = end + 1;
  }
}

const byUnits = (a: Member, b: Member): number => (a.step < b.step ? -1 : 1);

function byCodePoints(list: readonly Member[]): Member[] {
  const ordered = list.map((member) => ({ order: orderOf(member.step), member }));
  return ordered.sort((a, b) => (a.order < b.order ? -1 : 1)).map(({ member }) => member);
}

/** From this length on, the platform's functions copy faster than a loop. */
const LONG = 64;
const utf8 = new TextEncoder();
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;

/**
 * Writes a well-formed text as UTF-8. Only `%` and the two separators are escaped, so that different pairs never
 * produce the same content. Returns the end.
 */
function write(target: Uint8Array, from: number, text: string): number {
  if (text.length >= LONG && !text.includes('%') && !text.includes('&') && !text.includes('='))
    return from + utf8.encodeInto(text, target.subarray(from)).written;
  let end = from;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) {
      const point = text.codePointAt(i) as number;
      if (point > 0xffff) i += 1;
      end = writePoint(target, end, point);
    } else if (unit === PERCENT || unit === AMPERSAND || unit === EQUALS) {
      target[end] = PERCENT;
      target[end + 1] = unit === EQUALS ? 0x33 : 0x32;
      target[end + 2] = unit === EQUALS ? 0x44 : unit === AMPERSAND ? 0x36 : 0x35;
      end += 3;
    } else {
      target[end] = unit;
      end += 1;
    }
  }
  return end;
}

/** Writes a code point outside ASCII: its lead byte, and six bits in each of the others. */
function writePoint(target: Uint8Array, from: number, point: number): number {
  const others = point < 0x800 ? 1 : point < 0x1_0000 ? 2 : 3;
  const lead = others === 1 ? 0xc0 : others === 2 ? 0xe0 : 0xf0;
  target[from] = lead | (point >> (6 * others));
  for (let i = 1; i <= others; i += 1) target[from + i] = 0x80 | ((point >> (6 * (others - i))) & 0x3f);
  return from + others + 1;
}
