import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxPassword, userLines } from '../../packages/queue/src/redis-users.ts';
import { LOOPBACK } from '../../tools/sandbox/src/ports.ts';
import { sendSignal } from '../../tools/sandbox/src/process-identity.ts';
import { sendToRedis } from '../../tools/sandbox/src/redis.ts';
import type { RunFolder } from '../../tools/sandbox/src/run-folder.ts';
import { type SpawnedProcess, spawnProcess } from '../../tools/sandbox/src/spawn-process.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { fillTemplate } from './fill-template.ts';

/** Three Redis servers and three Sentinels on loopback, with the files of ops/high-availability. */
export interface OwnSentinel {
  /** REDIS_URL: the Sentinels, and the name of the server. */
  readonly url: string;
  readonly servers: readonly SentinelServer[];
  /** The one server that the Sentinels name and that accepts writes; waits for it. */
  primary(): Promise<SentinelServer>;
  /** Waits until the other two copy it. */
  untilWhole(): Promise<SentinelServer>;
  switchOver(): Promise<void>;
  remove(): Promise<void>;
}

export interface SentinelServer {
  readonly name: string;
  readonly port: number;
  /** The raw answers to a few commands. */
  ask(...commands: string[]): Promise<string>;
  kill(): Promise<void>;
  startAgain(): void;
  freeze(): void;
  wake(): void;
}

const password = 'only-a-test';
const sentinelPassword = 'only-a-sentinel';
const kill = [{ signal: 'SIGKILL', waitMs: 5_000 }] as const;
const wholeWithinMs = 90_000;

/** `ports`: the first of 19 free ones in a row. */
export async function startOwnSentinel(folder: RunFolder, ports: number): Promise<OwnSentinel> {
  const start = (name: string, text: string, args: string[]): SpawnedProcess => {
    const dir = join(folder.dir, name);
    mkdirSync(dir, { recursive: true });
    const file = join(dir, 'redis.conf');
    writeFileSync(file, text, { mode: 0o600 });
    return spawnProcess({
      name,
      command: 'redis-server',
      args: [file, ...args],
      cwd: dir,
      env: { PATH: process.env.PATH },
      logFile: join(folder.dir, `${name}.log`),
      onSpawn: (identity) => folder.record.add(name, identity),
    });
  };
  const startServer = (number: number): SpawnedProcess => {
    const filled = fillTemplate('redis.conf', { HOST: LOOPBACK, PORT: ports + number, PASSWORD: password });
    // Sentinel tells a server that comes back whom to follow.
    const following = number === 0 ? '' : `replicaof ${LOOPBACK} ${ports}\n`;
    const users = userLines((user) => sandboxPassword(password, user)).join('\n');
    return start(`redis-${number}`, `${filled}\n${users}\n${following}`, []);
  };
  const servers = [0, 1, 2].map((number) => openServer(ports + number, () => startServer(number)));
  const sentinels = [10, 11, 12].map((number) =>
    start(
      `sentinel-${number}`,
      fillTemplate('sentinel.conf', {
        HOST: LOOPBACK,
        PORT: ports + number,
        SENTINEL_PASSWORD: sentinelPassword,
        SERVER_HOST: LOOPBACK,
        SERVER_PORT: ports,
        PASSWORD: password,
      }),
      ['--sentinel'],
    ),
  );
  const set = describeSet(servers, ports);
  const remove = async (): Promise<void> => {
    await Promise.all(sentinels.map((one) => one.end(kill)));
    await Promise.all(servers.map((one) => one.end()));
  };
  try {
    await set.untilWhole();
    return { ...set, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function openServer(port: number, start: () => SpawnedProcess): SentinelServer & { end(): Promise<void> } {
  let running = start();
  const end = () => running.end(kill);
  return {
    name: running.name,
    port,
    ask: (...commands) => sendToRedis(`redis://:${password}@${LOOPBACK}:${port}/0`, commands),
    kill: end,
    startAgain: () => {
      running = start();
    },
    freeze: () => sendSignal(running.identity.pid, 'SIGSTOP'),
    wake: () => sendSignal(running.identity.pid, 'SIGCONT'),
    end,
  };
}

function describeSet(servers: readonly SentinelServer[], ports: number): Omit<OwnSentinel, 'remove'> {
  const sentinelPorts = [ports + 10, ports + 11, ports + 12];
  const askSentinel = (port: number, command: string) =>
    sendToRedis(`redis://:${sentinelPassword}@${LOOPBACK}:${port}`, [command]);
  const primary = async (): Promise<SentinelServer> => {
    let found: SentinelServer | undefined;
    const isFound = async (): Promise<boolean> => {
      const named = await Promise.all(
        sentinelPorts.map((port) => askSentinel(port, 'SENTINEL get-master-addr-by-name tidegate')),
      );
      found = servers.find(({ port }) => named.every((answer) => answer.includes(`\r\n${port}\r\n`)));
      return (await found?.ask('INFO replication'))?.includes('role:master') === true;
    };
    await waitUntil('one server for all Sentinels', isFound, { timeoutMs: wholeWithinMs, everyMs: 200 });
    return found as SentinelServer;
  };
  return {
    url: `${sentinelPorts.map((port) => `redis://:${password}@${LOOPBACK}:${port}`).join(',')}?sentinel=tidegate&sentinel-password=${sentinelPassword}`,
    servers,
    primary,
    untilWhole: async () => {
      let found = await primary();
      const isWhole = async (): Promise<boolean> => {
        found = await primary();
        const said = await found.ask('INFO replication');
        const known = await Promise.all(sentinelPorts.map((port) => askSentinel(port, 'SENTINEL ckquorum tidegate')));
        return (
          (said.match(/state=online/g) ?? []).length === 2 &&
          known.every((answer) => answer.includes('OK 3 usable Sentinels'))
        );
      };
      await waitUntil('two replicas and three Sentinels', isWhole, { timeoutMs: wholeWithinMs, everyMs: 200 });
      return found;
    },
    switchOver: async () => {
      const timesOk = async (command: string) => (await askSentinel(ports + 10, command)).split('+OK').length;
      // What else is sent with a command may be answered +OK too.
      const others = await timesOk('PING');
      // While it is busy with another change it refuses.
      const accepted = async () => (await timesOk('SENTINEL failover tidegate')) > others;
      await waitUntil('a Sentinel accepts the change', accepted, { timeoutMs: 60_000, everyMs: 500 });
    },
  };
}
