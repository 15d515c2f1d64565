import {
  closeSync,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { dirname } from 'node:path';

const KEPT_GENERATIONS = 3;
const MAX_BYTES = 64 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

/** Starts a new log: `x.log` becomes `x.log.1`, `x.log.1` becomes `x.log.2`, and so on. The oldest is deleted. */
export function rotateLog(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  for (let generation = KEPT_GENERATIONS; generation >= 1; generation -= 1) {
    const from = generation === 1 ? path : `${path}.${generation - 1}`;
    if (sizeOf(from) !== undefined) renameSync(from, `${path}.${generation}`);
  }
}

/** Limits a log that a process writes in append mode: above 64 MiB its content is moved to `x.log.1`. */
export function boundLog(path: string): void {
  if ((sizeOf(path) ?? 0) <= MAX_BYTES) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}

/** The last lines of a log, at most 16 KiB; empty if there is no log. */
export function lastLines(path: string, count: number): string {
  if (sizeOf(path) === undefined) return '';
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString().trimEnd().split('\n').slice(-count).join('\n');
  } finally {
    closeSync(file);
  }
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
