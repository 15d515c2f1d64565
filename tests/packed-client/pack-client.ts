import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LOCK = join(tmpdir(), `tidegate-pack-${process.getuid?.() ?? 0}`);
const LOCK_WAIT_S = 120;

/** The two packages as they would be published. */
export interface PackedClient {
  client: string;
  signature: string;
}

/** Builds and packs the merchants' client and what it depends on into `folder`. */
export async function packClient(folder: string): Promise<PackedClient> {
  const unlock = await lock();
  try {
    for (const name of ['signature', 'client'])
      await pnpm('--dir', join(ROOT, 'packages', name), 'pack', '--pack-destination', folder);
  } finally {
    unlock();
  }
  const packed = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  const find = (name: string) => join(folder, packed.find((file) => file.startsWith(`tidegate-${name}-`)) ?? name);
  return { client: find('client'), signature: find('signature') };
}

/** A project of a merchant's, that has installed the packed client and nothing else. */
export async function installPacked(folder: string, { client, signature }: PackedClient): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', signature, client], {
    cwd: folder,
  });
}

async function pnpm(...args: string[]): Promise<void> {
  const bin = join(ROOT, 'node_modules', '.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  await run('npx', ['--yes', '--prefer-offline', 'pnpm@12.21.0', ...args], {
    cwd: ROOT,
    env,
    maxBuffer: 16 * 1024 * 1024,
  });
}

/** Two builds at once would read each other's unfinished files. */
async function lock(): Promise<() => void> {
  for (let waited = 0; waited < LOCK_WAIT_S; waited += 1) {
    try {
      mkdirSync(LOCK);
      return () => rmdirSync(LOCK);
    } catch {
      await delay(1_000);
      const age = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > LOCK_WAIT_S * 1_000) rmdirSync(LOCK);
    }
  }
  throw new Error(`${LOCK} is held for too long: remove it`);
}
