import type {
  StatementFormat,
  StatementLine,
  StatementOptions,
  StatementRow,
  StatementSummary,
} from '@tidegate/domain/reconciliation';
import { findFormat } from '../formats.ts';

export interface ReadStatement {
  rows: StatementRow[];
  lines: StatementLine[];
  unparsed: { lineNo: number; reason: string }[];
  summaries: StatementSummary[];
}

export function formatOf(name: string): StatementFormat {
  const format = findFormat(name);
  if (!format) throw new Error(`no format ${name}`);
  return format;
}

/** Bytes in pieces of at most `size`. */
export async function* inPieces(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Reads a whole statement. Rejects with what the format throws. */
export async function readAll(
  format: StatementFormat,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: StatementOptions,
): Promise<ReadStatement> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const read: ReadStatement = { rows: [], lines: [], unparsed: [], summaries: [] };
  for await (const row of format.read(bytes instanceof Uint8Array ? inPieces(bytes) : bytes, options)) {
    read.rows.push(row);
    if (row.kind === 'line') read.lines.push(row.line);
    if (row.kind === 'unparsed') read.unparsed.push({ lineNo: row.lineNo, reason: row.reason });
    if (row.kind === 'summary') read.summaries.push(row.summary);
  }
  return read;
}
