import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepMovedFolders } from './moved-folder.ts';
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts';
import { beginRecord, endLeftovers, type ProcessRecord } from './process-record.ts';
import { writeAtomically } from './write-atomically.ts';

/** A temporary folder of this process, with a record of the processes that work in it. */
export interface RunFolder {
  readonly dir: string;
  readonly record: ProcessRecord;
  /** Ends these processes, and removes the folder. */
  remove(): Promise<void>;
}

const PREFIX = 'tidegate-test-';
const OWNER = 'owner.json';
const RECORD = 'pids.json';

/** Makes such a folder. First removes the folders of processes that were killed. */
export async function makeRunFolder(): Promise<RunFolder> {
  await removeDeadFolders();
  const dir = mkdtempSync(join(tmpdir(), PREFIX));
  // If this process is root, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(dir, 0o711);
  writeAtomically(join(dir, OWNER), JSON.stringify(identify(process.pid)));
  return { dir, record: beginRecord(join(dir, RECORD)), remove: () => endAndRemove(dir) };
}

async function removeDeadFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const dir = join(tmpdir(), name);
    const owner = ownerOf(dir);
    if (owner !== undefined && !isAlive(owner)) await endAndRemove(dir);
  }
}

/** The process that made the folder. Undefined if another user owns it, or if it is just being made or removed. */
function ownerOf(dir: string): ProcessIdentity | undefined {
  try {
    return statSync(dir).uid === process.getuid?.() ? JSON.parse(readFileSync(join(dir, OWNER), 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

async function endAndRemove(dir: string): Promise<void> {
  await endLeftovers(join(dir, RECORD));
  rmSync(dir, { recursive: true, force: true });
  await sweepMovedFolders();
}
