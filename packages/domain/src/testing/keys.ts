import { createHash } from 'node:crypto';
import { type KeyRing, keysOf, makeKey, writeKeys } from '../database/keys/key-ring.ts';
import { type ProcessKind, purposes } from '../database/keys/purposes.ts';

/** The key ring of tests: the same in all of them, so that a database can be opened again. */
export const testRing: KeyRing = purposes.map((purpose) =>
  makeKey(purpose, 'current', createHash('sha256').update(`a test's key for ${purpose}`).digest()),
);

/** All keys, as a key file. */
export const testKeys = writeKeys(testRing, 'Keys of tests');

/** The key file of one kind of process. */
export function testKeysOf(process: ProcessKind): string {
  return writeKeys(keysOf(process, testRing), `Keys of tests for ${process}`);
}
