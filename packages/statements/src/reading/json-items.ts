import { StatementUnreadable } from '@tidegate/domain/reconciliation';
import type { Limits } from './limits.ts';

export type JsonPiece =
  /** An item of the list. `text` is its JSON. */
  | { kind: 'item'; lineNo: number; text: string }
  /** The rest of a document without its list. It follows after the items. */
  | { kind: 'document'; value: Readonly<Record<string, unknown>> };

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c];

/**
 * The items of the list `name` of one JSON object, or of several after each other (pages of an API, as they came). Only
 * one item is held at a time. Throws StatementUnreadable for anything else, and for a document that ends too early.
 */
export async function* jsonItems(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  limits: Limits,
): AsyncGenerator<JsonPiece> {
  const scanner = new Scanner(name, limits);
  for await (const chunk of bytes) {
    yield* scanner.push(chunk);
  }
  scanner.end();
}

/** Finds where documents, lists and items begin and end, and leaves their content to JSON.parse. */
class Scanner {
  readonly #name: string;
  readonly #limits: Limits;
  /** The text before the items, without white space. */
  readonly #begins: readonly Buffer[];
  #depth = 0;
  #inText = false;
  #escaped = false;
  #inList = false;
  #documents = 0;
  #items = 0;
  /** The document without its list. */
  readonly #outer: Kept;
  /** The current item. */
  readonly #item: Kept;
  /** Whether the list was found in this document. */
  #hasList = false;

  constructor(name: string, limits: Limits) {
    this.#name = name;
    this.#limits = limits;
    this.#begins = ['{', ','].map((before) => Buffer.from(`${before}"${name}":[`));
    this.#outer = new Kept(limits.rowLength);
    this.#item = new Kept(limits.rowLength);
  }

  push(chunk: Uint8Array): JsonPiece[] {
    const found: JsonPiece[] = [];
    for (const byte of chunk) this.#take(byte, found);
    return found;
  }

  end(): void {
    if (this.#depth > 0 || this.#documents === 0) throw this.#damaged('the JSON ends too early');
  }

  #take(byte: number, found: JsonPiece[]): void {
    if (this.#inText) {
      this.#keep(byte);
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inText = false;
      return;
    }
    const isSpace = byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
    if (isSpace) return;
    if (this.#depth === 0) this.#begin(byte);
    else if (this.#inList && this.#depth === 2) this.#betweenItems(byte);
    else this.#inside(byte, found);
  }

  #begin(byte: number): void {
    // Skips a byte order mark before the first document.
    if (this.#documents === 0 && this.#items === 0 && [0xef, 0xbb, 0xbf].includes(byte)) return;
    if (byte !== OPEN) throw new StatementUnreadable('other_format', 'not a JSON object');
    this.#depth = 1;
    this.#hasList = false;
    this.#outer.clear();
    this.#keep(byte);
  }

  #betweenItems(byte: number): void {
    if (byte === CLOSE_LIST) {
      this.#inList = false;
      this.#depth = 1;
      this.#keep(byte);
    } else if (byte === OPEN) {
      this.#items += 1;
      if (this.#items > this.#limits.rows)
        throw new StatementUnreadable('too_large', `more than ${this.#limits.rows} rows`);
      this.#depth = 3;
      this.#keep(byte);
    } else if (byte !== COMMA) {
      throw this.#damaged(`"${this.#name}" has something that is no object`);
    }
  }

  #inside(byte: number, found: JsonPiece[]): void {
    this.#keep(byte);
    if (byte === QUOTE) this.#inText = true;
    else if (byte === OPEN || byte === OPEN_LIST) this.#open(byte);
    else if (byte === CLOSE || byte === CLOSE_LIST) this.#close(found);
  }

  #open(byte: number): void {
    this.#depth += 1;
    if (this.#depth !== 2 || byte !== OPEN_LIST || this.#inList) return;
    if (!this.#outer.endsWith(this.#begins)) return;
    if (this.#hasList) throw this.#damaged(`"${this.#name}" is there twice`);
    this.#inList = true;
    this.#hasList = true;
  }

  #close(found: JsonPiece[]): void {
    this.#depth -= 1;
    if (this.#inList && this.#depth === 2) {
      found.push({ kind: 'item', lineNo: this.#items, text: this.#item.text() });
      this.#item.clear();
    } else if (this.#depth === 0) {
      found.push({ kind: 'document', value: this.#document() });
      this.#documents += 1;
    }
  }

  #document(): Readonly<Record<string, unknown>> {
    let value: unknown;
    try {
      value = JSON.parse(this.#outer.text());
    } catch {
      throw this.#damaged('the JSON cannot be read');
    }
    if (!this.#hasList) throw new StatementUnreadable('other_format', `there is no list "${this.#name}"`);
    return value as Record<string, unknown>;
  }

  #keep(byte: number): void {
    const kept = this.#inList && this.#depth > 2 ? this.#item : this.#outer;
    if (!kept.add(byte)) throw this.#tooLong();
  }

  #damaged(message: string): StatementUnreadable {
    return new StatementUnreadable('damaged', message, this.#items === 0 ? null : this.#items);
  }

  #tooLong(): StatementUnreadable {
    const { rowLength } = this.#limits;
    return new StatementUnreadable('too_large', `longer than ${rowLength} bytes`, Math.max(1, this.#items));
  }
}

/** Collects bytes up to a limit, and reuses its memory. */
class Kept {
  readonly #bytes: Buffer;
  #length = 0;

  constructor(most: number) {
    this.#bytes = Buffer.alloc(most);
  }

  /** Returns false if there is no room for the byte. */
  add(byte: number): boolean {
    if (this.#length === this.#bytes.length) return false;
    this.#bytes[this.#length] = byte;
    this.#length += 1;
    return true;
  }

  /** Whether it ends with one of these texts. Only so many bytes are compared, whatever it holds. */
  endsWith(ends: readonly Uint8Array[]): boolean {
    return ends.some((end) => {
      const start = this.#length - end.length;
      return start >= 0 && this.#bytes.compare(end, 0, end.length, start, this.#length) === 0;
    });
  }

  text(): string {
    return this.#bytes.toString('utf8', 0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }
}
