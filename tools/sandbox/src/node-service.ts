import { createConnection } from 'node:net';
import { boundLog, rotateLog } from './log-file.ts';
import { LOOPBACK } from './ports.ts';
import type { EndingStep } from './process-identity.ts';
import { nodeArgsOf } from './service-scripts.ts';
import { type SpawnedProcess, spawnProcess } from './spawn-process.ts';
import type { RunningService, Service } from './supervise.ts';
import { waitUntil } from './wait-until.ts';

export interface NodeServiceOptions {
  readonly name: string;
  /** Absolute path of the TypeScript or JavaScript file to run. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly port: number;
  /** The process is ready when a GET of this path answers 200. Without a path, when the port accepts connections. */
  readonly readyPath?: string | undefined;
}

/** Long enough for a very busy machine. A process that ends before it is ready is noticed at once. */
const READY_WITHIN_MS = 180_000;

const STOP: readonly EndingStep[] = [
  // Our processes take up to 25 s to shut down.
  { signal: 'SIGTERM', waitMs: 27_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const LOG_LOOK_MS = 60_000;

/** A service that runs with the same Node as this process. Its log is rotated here, but not at a restart. */
export function nodeService(options: NodeServiceOptions): Service {
  rotateLog(options.logFile);
  return {
    name: options.name,
    start: async (onSpawn) => {
      const child = spawnProcess({
        name: options.name,
        command: process.execPath,
        args: [...nodeArgsOf(options.script), options.script, ...(options.args ?? [])],
        env: options.env,
        logFile: options.logFile,
        onSpawn,
      });
      await waitUntilReady(child, options);
      return describeRunning(child, options.logFile);
    },
  };
}

async function waitUntilReady(child: SpawnedProcess, { name, port, readyPath }: NodeServiceOptions): Promise<void> {
  let problem: string | null = null;
  const look = async (): Promise<boolean> => {
    problem =
      readyPath === undefined ? await problemOfPort(port) : await problemAt(`http://${LOOPBACK}:${port}${readyPath}`);
    return problem === null;
  };
  const givenUp = () => (child.ending() === undefined ? undefined : child.report());
  const lastSeen = () => `${readyPath ?? 'its port'}: ${problem}`;
  try {
    await waitUntil(`${name} is ready`, look, { timeoutMs: READY_WITHIN_MS, givenUp, lastSeen });
  } catch (error) {
    await child.end(STOP);
    throw error;
  }
}

function describeRunning(child: SpawnedProcess, logFile: string): RunningService {
  const looking = setInterval(() => boundLog(logFile), LOG_LOOK_MS);
  looking.unref();
  void child.ended.then(() => clearInterval(looking));
  return { identity: child.identity, ended: child.ended, report: child.report, stop: () => child.end(STOP) };
}

/** What a process answers instead of HTTP 200. Null: it is ready. */
async function problemAt(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const body = await response.text();
    return response.ok ? null : `HTTP ${response.status} ${body.slice(0, 500)}`;
  } catch (error) {
    return String((error as { cause?: unknown }).cause ?? error);
  }
}

/** Why the port accepts no connection. Null: it does. */
function problemOfPort(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: LOOPBACK });
    socket.on('connect', () => {
      socket.destroy();
      resolve(null);
    });
    socket.on('error', (error) => resolve(error.message));
  });
}
