import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file of mode 0600 whole or not at all: a reader sees the old content or the new one, also after a crash.
 * Synchronous, so that nothing comes between a decision and its record.
 */
export function writeAtomically(path: string, content: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  // A file that a killed process of the same number left could have another mode.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
