import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
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
/** A file system in memory that every Linux has. */
const MEMORY = '/dev/shm';
const GIB = 2 ** 30;
/** A test run ends with about 270 databases of 13 MB each, about 4 GiB with the log of PostgreSQL. */
const NEEDED = { inMemory: 6 * GIB, ofMachine: 10 * GIB };

/**
 * Makes such a folder. First removes the folders of processes that were killed. `wanted`: with `memory` the files are
 * kept in memory if this machine has enough of it, and on disk otherwise. Creating files is slow on a disk: ext4 searches
 * long for a place after many files were removed.
 */
export async function makeRunFolder(wanted: 'disk' | 'memory' = 'disk'): Promise<RunFolder> {
  for (const root of [tmpdir(), MEMORY]) await removeDeadFolders(root);
  const dir = mkdtempSync(join(wanted === 'memory' && hasRoomInMemory() ? MEMORY : tmpdir(), PREFIX));
  // If this process is root, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(dir, 0o711);
  writeAtomically(join(dir, OWNER), JSON.stringify(identify(process.pid)));
  return { dir, record: beginRecord(join(dir, RECORD)), remove: () => endAndRemove(dir) };
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED.inMemory && process.availableMemory() >= NEEDED.ofMachine;
  } catch {
    return false;
  }
}

async function removeDeadFolders(root: string): Promise<void> {
  const names = existsSync(root) ? readdirSync(root) : [];
  for (const name of names.filter((entry) => entry.startsWith(PREFIX))) {
    const dir = join(root, name);
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
