import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isPortFree, readSandboxFile, type SandboxFile } from '@tidegate/sandbox';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const readyWithinMs = 120_000;

/** What `npm start` starts, with data and ports of its own. */
export interface WholeSandbox {
  file: SandboxFile;
  /** From the command to sandbox.json, in seconds. */
  readyAfter: number;
  /** The pid of each of its processes by name: rest, api, worker, upstream, receiver, postgres, redis. */
  pids: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Runs `npm start` on the data in `dataDir` and waits until all is ready. */
export async function startWholeSandbox(dataDir: string): Promise<WholeSandbox> {
  const began = performance.now();
  const env = {
    ...process.env,
    DATABASE_URL: '',
    REDIS_URL: '',
    TIDEGATE_ENV: 'sandbox',
    TIDEGATE_DATA_DIR: dataDir,
    TIDEGATE_PORT_BASE: String(await freePortBase()),
  };
  const npm = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (text) => (said = (said + text).slice(-4_000)));
  const stop = () => end(npm);
  try {
    const file = await ready(npm, join(dataDir, 'sandbox.json'), began + readyWithinMs);
    const readyAfter = (performance.now() - began) / 1000;
    const record: { processes: { name: string; pid: number }[] } = JSON.parse(
      readFileSync(join(dataDir, 'pids.json'), 'utf8'),
    );
    return { file, readyAfter, pids: new Map(record.processes.map(({ name, pid }) => [name, pid])), stop };
  } catch (error) {
    await stop();
    throw new Error(`npm start did not get ready:\n${said}`, { cause: error });
  }
}

async function ready(npm: ChildProcess, path: string, deadline: number): Promise<SandboxFile> {
  while (performance.now() < deadline && npm.exitCode === null) {
    const file = readSandboxFile(path);
    if (file) return file;
    await delay(10);
  }
  throw new Error(npm.exitCode === null ? 'too late' : `it ended with ${npm.exitCode}`);
}

/** The whole group: what npm started does not always hear of npm's end. */
async function end(npm: ChildProcess): Promise<void> {
  if (npm.pid === undefined || npm.exitCode !== null || npm.signalCode !== null) return;
  const ended = once(npm, 'exit');
  process.kill(-npm.pid, 'SIGTERM');
  await ended;
}

/** Twelve ports in a row, of which those that a sandbox listens on are free. */
async function freePortBase(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const base = 20_000 + 20 * Math.floor(Math.random() * 600);
    const free = await Promise.all([0, 1, 2, 10, 11].map((offset) => isPortFree(base + offset)));
    if (free.every(Boolean)) return base;
  }
  throw new Error('no free ports found on 127.0.0.1');
}
