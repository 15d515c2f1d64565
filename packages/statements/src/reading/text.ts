import { StatementUnreadable } from '@tidegate/domain/reconciliation';
import type { Limits } from './limits.ts';

/** A line of text without its line break. `lineNo` is from 1. */
export interface TextLine {
  lineNo: number;
  text: string;
}

/** The size of the pieces in which texts are decoded, so that large pieces of a file need no large texts. */
const pieceBytes = 64 * 1024;

/**
 * Decodes text piece by piece. Bytes that are invalid in the encoding become U+FFFD, which no reference, amount or date
 * may contain. A byte order mark at the beginning is left out.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const text = decoder.decode(chunk.subarray(at, at + pieceBytes), { stream: true });
      if (text !== '') yield text;
    }
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

/** Lines that end with LF, CR LF or CR. Throws StatementUnreadable for a line or a file that is too long. */
export async function* textLines(text: AsyncIterable<string>, limits: Limits): AsyncGenerator<TextLine> {
  let lineNo = 0;
  let rest = '';
  let endedWithCr = false;
  const next = (line: string): TextLine => {
    lineNo += 1;
    if (line.length > limits.rowLength) throw tooLong(lineNo, limits);
    if (lineNo > limits.rows) throw new StatementUnreadable('too_large', `more than ${limits.rows} rows`);
    return { lineNo, text: line };
  };
  for await (const piece of text) {
    // The two characters of CR LF may be in two pieces.
    const fresh = endedWithCr && piece.startsWith('\n') ? piece.slice(1) : piece;
    if (piece !== '') endedWithCr = piece.endsWith('\r');
    const lines = (rest + fresh).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    for (const line of lines) yield next(line);
    if (rest.length > limits.rowLength) throw tooLong(lineNo + 1, limits);
  }
  if (rest !== '') yield next(rest);
}

function tooLong(lineNo: number, { rowLength }: Limits): StatementUnreadable {
  return new StatementUnreadable('too_large', `longer than ${rowLength} characters`, lineNo);
}
