import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { handEvent, storedOrder } from './state.ts';

const journalRecord = z.discriminatedUnion('type', [
  /** A create came, whatever became of it. */
  z.object({ type: z.literal('asked'), orderNo: z.string() }),
  z.object({ type: z.literal('taken'), order: storedOrder }),
  z.object({ type: z.literal('hand'), orderNo: z.string(), event: handEvent }),
  /** A callback was acknowledged. */
  z.object({ type: z.literal('told'), orderNo: z.string(), callbackId: z.string() }),
]);

export type JournalRecord = z.infer<typeof journalRecord>;

export interface Journal {
  /** What the file held when it was opened. */
  past: JournalRecord[];
  /** On return the record is with the operating system: it survives the end of this process, however it ends. */
  append(record: JournalRecord): void;
  close(): void;
}

/**
 * An append-only file, one JSON record a line. A last line that was cut short by a kill is dropped, as nobody got an
 * answer that rests on it. Throws if any other line cannot be read.
 */
export function openJournal(file: string): Journal {
  mkdirSync(dirname(file), { recursive: true });
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const wholeBytes = bytes.lastIndexOf('\n') + 1;
  const past = bytes
    .subarray(0, wholeBytes)
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((line, index) => readLine(file, line, index + 1));
  const handle = openSync(file, 'a', 0o600);
  if (wholeBytes < bytes.length) ftruncateSync(handle, wholeBytes);
  return {
    past,
    append(record) {
      const line = Buffer.from(`${JSON.stringify(record)}\n`);
      for (let written = 0; written < line.length; ) written += writeSync(handle, line, written);
    },
    close: () => closeSync(handle),
  };
}

function readLine(file: string, line: string, number: number): JournalRecord {
  try {
    return journalRecord.parse(JSON.parse(line));
  } catch {
    throw new Error(`${file}: line ${number} is not a journal record`);
  }
}
