import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { endPostgresIn } from './end-postgres.ts';

const ROOT = '/var/tmp';
const PREFIX = 'tidegate-';
const NOTE = 'stands-for';

/**
 * A folder below /var/tmp that replaces `dir`, because another user cannot enter `dir`. It is the same for each call
 * with the same `dir`. Created if missing; refused if another user owns it.
 */
export function movedFolder(dir: string): string {
  const folder = join(ROOT, `${PREFIX}${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (!isOurs(folder)) {
    throw new Error(`${folder} belongs to someone else: remove it, or set TIDEGATE_DATA_DIR to another folder`);
  }
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, NOTE), dir);
  return folder;
}

/** Removes replacement folders below /var/tmp whose original no longer exists, and ends the processes in them. */
export async function sweepMovedFolders(): Promise<void> {
  for (const name of readdirSync(ROOT).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(ROOT, name);
    const original = originalOf(folder);
    if (original === '' || existsSync(original)) continue;
    await endPostgresIn(join(folder, 'cluster'));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The original of a replacement folder; empty if it is not ours, or if another process has just removed it. */
function originalOf(folder: string): string {
  try {
    return isOurs(folder) ? readFileSync(join(folder, NOTE), 'utf8') : '';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Copies a folder so that every user can read and run its content. Uses hard links if possible. */
export function copyReadable(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyReadable(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else copyReadableFile(source, target);
  }
}

function copyReadableFile(source: string, target: string): void {
  const runnable = (lstatSync(source).mode & 0o100) !== 0;
  const wanted = runnable ? 0o555 : 0o444;
  if ((lstatSync(source).mode & wanted) === wanted) {
    try {
      linkSync(source, target);
      return;
    } catch {
      // The target is on another file system, or hard links are not supported.
    }
  }
  copyFileSync(source, target);
  chmodSync(target, wanted);
}

/** Any user may write to /var/tmp. So files of other users are neither run nor trusted. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}
