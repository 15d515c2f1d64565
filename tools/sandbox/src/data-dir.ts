import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeKeyRing, writeKeys } from '@tidegate/domain/admin';
import { HOLDER_FILE } from './data-lock.ts';
import { writeAtomically } from './write-atomically.ts';

/** The paths of a sandbox's files. */
export interface DataPaths {
  readonly dir: string;
  readonly logs: string;
  readonly postgres: string;
  readonly redis: string;
  readonly sandboxFile: string;
  readonly portsFile: string;
  readonly recordFile: string;
  readonly upstreamState: string;
  readonly received: string;
}

/** The secrets of a sandbox, generated at its first start. */
export interface Secrets {
  /** The key ring, as a key file. */
  readonly keys: string;
  readonly upstream: string;
  readonly redis: string;
}

const MARK = '.tidegate';

/** Creates the data folder if it is missing. Refuses a folder with other files, because `--fresh` would delete them. */
export function openDataDir(dir: string): DataPaths {
  mkdirSync(dir, { recursive: true });
  const entries = readdirSync(dir);
  if (entries.length > 0 && !entries.includes(MARK)) {
    throw new Error(`${dir} holds other files: set TIDEGATE_DATA_DIR to an empty folder, or one that does not exist`);
  }
  writeFileSync(join(dir, MARK), 'The data of a Tidegate sandbox: npm start -- --fresh empties this folder.\n');
  // PostgreSQL may run as another user and must be able to enter. Files with secrets have mode 0600 themselves.
  chmodSync(dir, 0o711);
  return {
    dir,
    logs: join(dir, 'logs'),
    postgres: join(dir, 'postgres'),
    redis: join(dir, 'redis'),
    sandboxFile: join(dir, 'sandbox.json'),
    portsFile: join(dir, 'ports.json'),
    recordFile: join(dir, 'pids.json'),
    upstreamState: join(dir, 'upstream.json'),
    received: join(dir, 'received.ndjson'),
  };
}

/** Deletes a sandbox's data. The caller must hold the lock, and the sandbox's processes must have ended. */
export function emptyDataDir(dir: string): void {
  for (const entry of readdirSync(dir)) {
    if (entry !== MARK && entry !== HOLDER_FILE) rmSync(join(dir, entry), { recursive: true });
  }
}

/** Reads the sandbox's secrets; generates them at the first start. */
export function keepSecrets(dir: string): Secrets {
  const file = join(dir, 'secrets.json');
  const draw = () => randomBytes(32).toString('hex');
  if (!existsSync(file)) {
    const secrets: Secrets = {
      keys: writeKeys(makeKeyRing(), 'All keys of a Tidegate sandbox'),
      upstream: draw(),
      redis: draw(),
    };
    writeAtomically(file, `${JSON.stringify(secrets)}\n`);
    return secrets;
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}
