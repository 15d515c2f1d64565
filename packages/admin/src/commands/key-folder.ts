import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type KeyRing, keysOf, processKinds, readKeys, writeKeys } from '@tidegate/domain/admin';

/** The file with all keys, for the command line alone. */
const ringFile = 'keys-admin';

/** The key ring of a folder; null if it has none. Throws `UnreadableKeys`, and errors of the file system. */
export function readRing(folder: string): KeyRing | null {
  const file = join(folder, ringFile);
  return existsSync(file) ? readKeys(readFileSync(file, 'utf8')) : null;
}

/**
 * Writes the key ring, and after it a file for each kind of process. A crash leaves each file whole, and the next call
 * writes them all again. Only the owner may read a new file; an existing one keeps its rights.
 */
export function writeRing(folder: string, ring: KeyRing): string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const kinds = ['admin', ...processKinds.filter((kind) => kind !== 'admin')] as const;
  return kinds.map((kind) => {
    const name = `keys-${kind}`;
    replaceFile(join(folder, name), writeKeys(keysOf(kind, ring), `Tidegate: the keys of ${kind}. Keep them secret.`));
    return name;
  });
}

function replaceFile(path: string, content: string): void {
  const mode = existsSync(path) ? statSync(path).mode & 0o777 : 0o600;
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(temporary, mode);
  renameSync(temporary, path);
}
