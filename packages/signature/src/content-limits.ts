import { MalformedRequest } from './malformed-request.ts';

/**
 * What a request may hold (decisions 2.6). The contract's fields stay below. The limits bound the processor time before
 * a signature is verified.
 */
export const contentLimits = {
  /** Levels of objects and arrays. */
  depth: 32,
  /** Members of all objects together, absent ones included. */
  members: 560,
  /** Values of members and elements together, absent ones included. */
  values: 2_048,
  /** UTF-8 bytes of the content to sign, without timestamp and nonce. */
  contentBytes: 128 * 1024,
} as const;

/** Counts a request against its limits while it is read. Its methods throw MalformedRequest over a limit. */
export class ContentMeter {
  /** Bytes of all pairs, with `=` and `&`. */
  bytes = 0;
  /** Bytes of the longest path. */
  longestPath = 0;
  private members = 0;
  private values = 0;

  value(): void {
    this.values += 1;
    if (this.values > contentLimits.values)
      throw new MalformedRequest(`the request has more than ${contentLimits.values} values`);
  }

  member(): void {
    this.members += 1;
    if (this.members > contentLimits.members)
      throw new MalformedRequest(`the request has more than ${contentLimits.members} fields`);
  }

  /** A pair of the content: the bytes of its path and of its value. */
  pair(path: number, value: number): void {
    this.bytes += path + value + 2;
    if (path > this.longestPath) this.longestPath = path;
    if (this.bytes > contentLimits.contentBytes)
      throw new MalformedRequest(`the content to sign has more than ${contentLimits.contentBytes / 1024} KiB`);
  }
}

/** The UTF-8 bytes of a text within the content to sign: `%`, `&` and `=` are written as three characters. */
export function contentBytes(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) bytes += bytesOfUnit(text.charCodeAt(i));
  return bytes;
}

/** The bytes of a UTF-16 unit. The two halves of a surrogate pair have four bytes together. */
export function bytesOfUnit(unit: number): number {
  if (unit < 0x80) return unit === 0x25 || unit === 0x26 || unit === 0x3d ? 3 : 1;
  return unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3;
}

/** Characters of ASCII that any name may have, and that are written as they are in JSON and in the content to sign. */
const PLAIN = new Uint8Array(128).fill(1, 0x20, 0x7f);
for (const special of '"\\%&=.[]') PLAIN[special.charCodeAt(0)] = 0;

export function isPlainUnit(unit: number): boolean {
  return PLAIN[unit] === 1;
}
