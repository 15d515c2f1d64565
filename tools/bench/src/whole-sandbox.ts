import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isPortFree, readSandboxFile, type SandboxFile } from '@tidegate/sandbox';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const readyWithinMs = 300_000;
/** Longer than the shutdown of the sandbox's processes takes. */
const endsWithinMs = 60_000;

/** A sandbox of `npm start`, with its own data and ports. */
export interface WholeSandbox {
  file: SandboxFile;
  /** Seconds from the command until sandbox.json exists. */
  readyAfter: number;
  /** The pid of each of its processes by name: rest, api, worker, upstream, receiver, postgres, redis. */
  pids: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Runs `npm start` on the data in `dataDir` and waits until everything is ready. */
export async function startWholeSandbox(dataDir: string): Promise<WholeSandbox> {
  const began = performance.now();
  const env = {
    ...process.env,
    NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS,
    DATABASE_URL: '',
    REDIS_URL: '',
    TIDEGATE_ENV: 'sandbox',
    TIDEGATE_DATA_DIR: dataDir,
    TIDEGATE_PORT_BASE: String(await freePortBase()),
  };
  const npm = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (text) => (output = (output + text).slice(-4_000)));
  const stop = () => end(npm, dataDir);
  try {
    const file = await ready(npm, join(dataDir, 'sandbox.json'), began + readyWithinMs);
    const readyAfter = (performance.now() - began) / 1000;
    return { file, readyAfter, pids: recordedPids(dataDir), stop };
  } catch (error) {
    await stop();
    throw new Error(`npm start was not ready in time:\n${output}`, { cause: error });
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

/**
 * Signals the whole process group and waits until its last process has ended. npm alone does not always pass a signal
 * on.
 */
async function end(npm: ChildProcess, dataDir: string): Promise<void> {
  const pids = [...recordedPids(dataDir).values()];
  if (npm.pid !== undefined && npm.exitCode === null && npm.signalCode === null) process.kill(-npm.pid, 'SIGTERM');
  const deadline = performance.now() + endsWithinMs;
  const group = npm.pid === undefined ? [] : [-npm.pid];
  while ([...group, ...pids].some(isAlive)) {
    if (performance.now() > deadline) throw new Error(`the sandbox of ${dataDir} did not end`);
    await delay(20);
  }
}

/** A negative pid means a process group. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function recordedPids(dataDir: string): Map<string, number> {
  const file = join(dataDir, 'pids.json');
  if (!existsSync(file)) return new Map();
  const record: { processes: { name: string; pid: number }[] } = JSON.parse(readFileSync(file, 'utf8'));
  return new Map(record.processes.map(({ name, pid }) => [name, pid]));
}

/** Finds twelve consecutive ports. Those that a sandbox uses are free. */
async function freePortBase(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const base = 20_000 + 20 * Math.floor(Math.random() * 600);
    const free = await Promise.all([0, 1, 2, 10, 11].map((offset) => isPortFree(base + offset)));
    if (free.every(Boolean)) return base;
  }
  throw new Error('no free ports found on 127.0.0.1');
}
