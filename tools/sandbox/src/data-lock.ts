import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EndingStep, endProcess, identify, isAlive, type ProcessIdentity } from './process-identity.ts';
import { writeAtomically } from './write-atomically.ts';

export const HOLDER_FILE = 'supervisor.json';

const TAKE_OVER: readonly EndingStep[] = [
  // A sandbox stops its services first, which takes up to 25 s, and then its databases.
  { signal: 'SIGTERM', waitMs: 60_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const FIND_HOLDER_MS = 5_000;

/**
 * Gives this process the data folder until it ends. A process that uses the folder already is stopped, so the newest
 * wins. Throws if it does not stop in five tries. The lock is a socket in Linux's abstract namespace. The kernel
 * removes it when the process ends, so a stale lock cannot remain.
 */
export async function lockData(dataDir: string, say: (line: string) => void): Promise<void> {
  const name = `\0tidegate-${createHash('sha256').update(realpathSync(dataDir)).digest('hex')}`;
  const holderFile = join(dataDir, HOLDER_FILE);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (await tryListen(name)) {
      writeAtomically(holderFile, `${JSON.stringify(identify(process.pid))}\n`);
      return;
    }
    const holder = await findHolder(holderFile);
    if (holder === undefined) continue;
    say(`Another npm start (process ${holder.pid}) uses ${dataDir}. It is being stopped; this one then continues.`);
    await endProcess(holder, TAKE_OVER, 'process');
  }
  throw new Error(`${dataDir} is used by another process that does not stop. End it, or set TIDEGATE_DATA_DIR.`);
}

/** The running process that wrote the holder file last. It may not have the lock yet. */
async function findHolder(file: string): Promise<ProcessIdentity | undefined> {
  for (let waited = 0; waited < FIND_HOLDER_MS; waited += 100) {
    const holder = readHolder(file);
    if (holder !== undefined && holder.pid !== process.pid && isAlive(holder)) return holder;
    await delay(100);
  }
  return undefined;
}

function readHolder(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

async function tryListen(path: string): Promise<boolean> {
  const server: Server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    // The socket is held, but does not keep the process alive.
    server.listen({ path }, () => resolve(true));
    server.unref();
  });
}
