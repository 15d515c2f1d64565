import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { sandboxPassword, userLines } from '@tidegate/queue/redis-users';
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
  /** Absolute path of the folder for the append-only file. Created if missing. */
  readonly dir: string;
  readonly logFile: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Default: a new one at each start. Pass one to keep the URL the same. It must not contain spaces or quotes. */
  readonly password?: string;
  /** Directives of redis.conf by name. They override the defaults below. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly onSpawn?: ((identity: ProcessIdentity) => void) | undefined;
}

export interface RunningRedis extends SpawnedProcess {
  /** URL of database 0, with the password of the default user, who may do everything. For a process: `sandboxUrl`. */
  readonly url: string;
  readonly port: number;
  /** Saves the data and ends the server. Takes at most about 20 s. */
  stop(): Promise<void>;
}

const STOP: readonly EndingStep[] = [
  { signal: 'SIGTERM', waitMs: 15_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const SETTINGS: Readonly<Record<string, string>> = {
  bind: LOOPBACK,
  daemonize: 'no',
  // BullMQ's jobs must never be evicted.
  'maxmemory-policy': 'noeviction',
  save: '""',
  appendonly: 'yes',
};

/**
 * Starts a private Redis on 127.0.0.1 with the data in `dir`, and resolves once it answers. It has a user for each kind
 * of process. A server that a killed
 * supervisor left running on the same data is stopped first.
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
    // The umask applies to the files that Redis creates. The configuration is passed on standard input, because a
    // password in the arguments would be visible in the process list.
    command: 'sh',
    args: ['-c', 'umask 077; exec redis-server -'],
    input: [
      ...Object.entries(settings).map(([name, value]) => `${name} ${value}`),
      ...userLines((user) => sandboxPassword(password, user)),
      '',
    ].join('\n'),
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

/** Makes the files of earlier starts unreadable for other users. */
function closeToOthers(dir: string): void {
  chmodSync(dir, 0o700);
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}

/** Ends the redis-server whose working folder this is. */
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

/** Sends commands whose words contain no spaces. Resolves to the raw replies, as far as they arrived. */
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
    // The caller notices that a reply is missing.
    socket.on('error', () => {});
    socket.on('close', () => resolve(replies));
  });
}

/**
 * What this database of a Redis server refused to the processes' users (packages/queue/src/redis-users.ts), as entries of
 * its ACL log. Entries of other databases of the server are left out.
 */
export async function refusedByRedis(url: string): Promise<string[]> {
  const database = new URL(url).pathname.slice(1) || '0';
  const log = await sendToRedis(url, ['ACL LOG']);
  // Each entry is a list of names and values that begins with `count`.
  const entries = log.split(/\bcount\b/);
  return entries.filter((entry) => /\btidegate_[a-z]+\b/.test(entry) && entry.includes(` db=${database} `));
}
