import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces a file atomically, with mode 0600. A reader sees the old or the new content, even after a crash. It is
 * synchronous, so that no other code runs between a decision and its record.
 */
export function writeAtomically(path: string, content: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  // A killed process with the same pid may have left a temporary file with another mode.
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
