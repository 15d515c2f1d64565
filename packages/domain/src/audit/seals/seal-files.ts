import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SealKeys, Signed } from './seal-keys.ts';

/** A seal by its number, and its month, which its file has in its name. */
export interface SealRef {
  merchantId: string;
  sealNo: number;
  period: string;
}

/** Copies of the seals outside the database: one file for each, in a folder for each merchant. */
export interface SealFiles {
  /**
   * Resolves when the file is stored on the disk. An existing file is never replaced, because it may prove that the
   * seal was changed. `other`: the file has another text.
   */
  write(ref: SealRef, text: string): Promise<'written' | 'same' | 'other'>;
  /** The text of a file; null if there is none. */
  read(ref: SealRef): Promise<string | null>;
  /** The names of a merchant's files. */
  namesOf(merchantId: string): Promise<string[]>;
  /** The merchants that have a folder. */
  merchants(): Promise<string[]>;
}

/** Much larger than any seal, in bytes. A larger file is treated as one with another text. */
const maxBytes = 64 * 1024;

/** `0001-2026-03.json` */
export function nameOfFile({ sealNo, period }: Omit<SealRef, 'merchantId'>): string {
  return `${String(sealNo).padStart(4, '0')}-${period}.json`;
}

/** The exact text of a seal's file. With its public key, the signature can be verified without the database. */
export function textOfFile({ content, keyId, signature }: Signed, keys: SealKeys): string {
  return `${JSON.stringify({ content, keyId, publicKey: keys.publicKeyOf(keyId), signature })}\n`;
}

/**
 * The files in this folder. The folder must exist: otherwise a disk that is not mounted would look like an empty
 * folder.
 */
export function sealFilesIn(dir: string): SealFiles {
  const folderOf = (merchantId: string): string => join(dir, folderName(merchantId));
  const placeOf = (ref: SealRef): string => join(folderOf(ref.merchantId), nameOfFile(ref));
  const read = async (ref: SealRef): Promise<string | null> => {
    const path = placeOf(ref);
    const facts = await orNone(stat(path));
    if (!facts) return null;
    return facts.size > maxBytes ? '' : await readFile(path, 'utf8');
  };
  return {
    read,
    async write(ref, text) {
      const before = await read(ref);
      if (before !== null) return before === text ? 'same' : 'other';
      const folder = folderOf(ref.merchantId);
      await makeFolder(folder);
      await writeWhole(folder, placeOf(ref), text);
      return 'written';
    },
    async namesOf(merchantId) {
      const names = (await orNone(readdir(folderOf(merchantId)))) ?? [];
      return names.filter((name) => !name.startsWith('.'));
    },
    async merchants() {
      return (await readdir(dir)).flatMap((name) => merchantOf(name) ?? []);
    },
  };
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Writes to another name first and renames the file, so that a crash never leaves a part of a file. */
async function writeWhole(folder: string, path: string, text: string): Promise<void> {
  const partial = join(folder, `.${randomUUID()}.partial`);
  try {
    const file = await open(partial, 'wx', 0o400);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  const place = await open(folder, 'r');
  await place.sync().finally(() => place.close());
}

/** A folder's name has no other characters than a merchant's number, so it never leads out of its parent. */
function folderName(merchantId: string): string {
  return encodeURIComponent(merchantId).replaceAll('.', '%2E');
}

/** The merchant of a folder's name; null for other folders, for example `lost+found` of a disk. */
function merchantOf(name: string): string | null {
  try {
    const merchantId = decodeURIComponent(name);
    return folderName(merchantId) === name ? merchantId : null;
  } catch {
    return null;
  }
}

async function orNone<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
