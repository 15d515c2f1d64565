import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Records by their id. If there is a file, stored records survive a crash of the process. */
export interface Store<Value> {
  get(id: string): Value | undefined;
  put(id: string, value: Value): void;
  /** In the order in which the ids were first put. */
  all(): Value[];
  close(): void;
}

/**
 * A store in an append-only file with one JSON line for each change; without a file, in memory. An incomplete last line
 * is dropped: the process ended before it replied. Throws if another line cannot be read.
 */
export function openStore<Value>(file: string | undefined): Store<Value> {
  const values = new Map<string, Value>();
  const handle = file === undefined ? null : openFile(file, values);
  return {
    get: (id) => values.get(id),
    put(id, value) {
      values.set(id, value);
      if (handle === null) return;
      const line = Buffer.from(`${JSON.stringify([id, value])}\n`);
      for (let written = 0; written < line.length; ) written += writeSync(handle, line, written);
    },
    all: () => [...values.values()],
    close() {
      if (handle !== null) closeSync(handle);
    },
  };
}

function openFile<Value>(file: string, values: Map<string, Value>): number {
  mkdirSync(dirname(file), { recursive: true });
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const wholeBytes = bytes.lastIndexOf('\n') + 1;
  for (const line of bytes.subarray(0, wholeBytes).toString('utf8').split('\n').slice(0, -1)) {
    const [id, value] = JSON.parse(line) as [string, Value];
    values.set(id, value);
  }
  const handle = openSync(file, 'a', 0o600);
  if (wholeBytes < bytes.length) ftruncateSync(handle, wholeBytes);
  return handle;
}
