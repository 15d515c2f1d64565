import { createConnection } from 'node:net';
import { boundLog, rotateLog } from './log-file.ts';
import { LOOPBACK } from './ports.ts';
import type { EndingStep } from './process-identity.ts';
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
        args: [options.script, ...(options.args ?? [])],
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
  let answer = '';
  const look = async (): Promise<boolean> => {
    answer = readyPath === undefined ? await connectTo(port) : await answerOf(`http://${LOOPBACK}:${port}${readyPath}`);
    return answer === READY;
  };
  const givenUp = () => (child.ending() === undefined ? undefined : child.report());
  const lastSeen = () => `${readyPath ?? 'its port'}: ${answer}`;
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

const READY = 'ready';

/** `READY`, or what the process answered instead. */
async function answerOf(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const body = await response.text();
    return response.ok ? READY : `HTTP ${response.status} ${body.slice(0, 500)}`;
  } catch (error) {
    return String((error as { cause?: unknown }).cause ?? error);
  }
}

/** `READY`, or why the port does not accept a connection. */
function connectTo(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: LOOPBACK });
    socket.on('connect', () => {
      socket.destroy();
      resolve(READY);
    });
    socket.on('error', (error) => resolve(error.message));
  });
}
