import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { boundedText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import { manualEvent, storedOrder } from './state.ts';

// The type names are in the journals of existing sandboxes, and so keep their older words.
const journalRecord = z.discriminatedUnion('type', [
  /** A create request. */
  z.object({ type: z.literal('asked'), orderNo: boundedText(4_096) }),
  z.object({ type: z.literal('taken'), order: storedOrder }),
  z.object({ type: z.literal('hand'), orderNo: boundedText(4_096), event: manualEvent }),
  /** A callback was acknowledged. */
  z.object({ type: z.literal('told'), orderNo: boundedText(4_096), callbackId: boundedText(4_096) }),
]);

export type JournalRecord = z.infer<typeof journalRecord>;

export interface Journal {
  /** The records in the file when it was opened. */
  past: JournalRecord[];
  /** When it returns, the operating system has the record, so that it survives a crash of this process. */
  append(record: JournalRecord): void;
  close(): void;
}

/**
 * An append-only file with one JSON record per line. An incomplete last line is dropped: the process was killed before
 * it replied. Throws if another line cannot be read.
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
