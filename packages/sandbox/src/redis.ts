import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { findFreePort, LOOPBACK } from './ports.ts';
import {
  allPids,
  commandLine,
  type EndingStep,
  endProcess,
  identify,
  type ProcessIdentity,
} from './process-identity.ts';
import { type SpawnedProcess, spawnProcess } from './spawn-process.ts';
import { waitUntil } from './wait-until.ts';

export interface RedisOptions {
  /** The folder of the append-only file. Created if missing. Absolute. */
  readonly dir: string;
  readonly logFile: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Default: generated at each start. Give one to keep the URL the same. No blanks or quotes. */
  readonly password?: string;
  /** Directives of redis.conf by name. They override the ones below. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly onSpawn?: ((identity: ProcessIdentity) => void) | undefined;
}

export interface RunningRedis extends SpawnedProcess {
  /** URL of database 0, with the password in it. */
  readonly url: string;
  readonly port: number;
  /** Saves the data and ends the server, within about 20 s at most. */
  stop(): Promise<void>;
}

const STOP: readonly EndingStep[] = [
  { signal: 'SIGTERM', waitMs: 15_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const SETTINGS: Readonly<Record<string, string>> = {
  bind: LOOPBACK,
  daemonize: 'no',
  // BullMQ's jobs must not be evicted.
  'maxmemory-policy': 'noeviction',
  save: '""',
  appendonly: 'yes',
};

/**
 * Starts a private Redis on 127.0.0.1 on the data in `dir`, and resolves once it answers. A server that still runs on
 * the same data, left by a killed supervisor, is stopped first.
 */
export async function startRedis(options: RedisOptions): Promise<RunningRedis> {
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  await endRedisIn(options.dir);
  closeToOthers(options.dir);
  const port = options.port ?? (await findFreePort());
  const password = options.password ?? randomBytes(24).toString('hex');
  const url = `redis://:${password}@${LOOPBACK}:${port}/0`;
  const settings = { ...SETTINGS, ...options.settings, port: String(port), requirepass: password };
  const server = spawnProcess({
    name: 'redis',
    // Redis creates its files with this umask. The configuration comes from standard input, so that the password is not
    // in the process list.
    command: 'sh',
    args: ['-c', 'umask 077; exec redis-server -'],
    input: Object.entries(settings)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
    cwd: options.dir,
    env: { PATH: process.env.PATH },
    logFile: options.logFile,
    onSpawn: options.onSpawn,
  });
  try {
    await waitUntil('Redis answers', async () => (await sendToRedis(url, ['PING'])).includes('+PONG'), {
      timeoutMs: 60_000,
      givenUp: () => (server.ending() === undefined ? undefined : server.report()),
    });
  } catch (error) {
    await server.end(STOP);
    throw error;
  }
  return { ...server, url, port, stop: () => server.end(STOP) };
}

/** Files of an earlier start may be readable by others. */
function closeToOthers(dir: string): void {
  chmodSync(dir, 0o700);
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}

/** Ends the redis-server with this working folder. */
async function endRedisIn(dir: string): Promise<void> {
  const folder = realpathSync(dir);
  for (const pid of allPids()) {
    const identity = identify(pid);
    if (identity === undefined || !/(^|\/)redis-server /.test(`${commandLine(pid)} `)) continue;
    if (workingFolder(pid) === folder) await endProcess(identity, STOP, 'process');
  }
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** Sends a few commands whose words have no blanks. Resolves with the raw replies, as far as they arrived. */
export function sendToRedis(url: string, commands: readonly string[]): Promise<string> {
  const { port, password, pathname } = new URL(url);
  const lines = [`AUTH ${password}`, `SELECT ${pathname.slice(1) || 0}`, ...commands, 'QUIT'];
  return new Promise((resolve) => {
    const socket = createConnection({ port: Number(port), host: LOOPBACK, timeout: 1_000 });
    let replies = '';
    socket.on('connect', () => socket.write(lines.map((line) => `${line}\r\n`).join('')));
    socket.on('data', (chunk) => {
      replies += chunk.toString();
    });
    socket.on('timeout', () => socket.destroy());
    // The caller notices a missing reply.
    socket.on('error', () => {});
    socket.on('close', () => resolve(replies));
  });
}
