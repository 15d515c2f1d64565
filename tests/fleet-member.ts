import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunFolder } from '../tools/sandbox/src/run-folder.ts';
import { type SpawnedProcess, spawnProcess } from '../tools/sandbox/src/spawn-process.ts';
import { waitUntil } from '../tools/sandbox/src/wait-until.ts';

/** One of our processes. Only the test restarts it when it ends. */
export interface Member {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** The whole output of the process since its first start. */
  output(): string;
  /**
   * Sends SIGTERM. Returns how it ended, for example `exit code 0`, after how many milliseconds, and its last log line,
   * which has the duration of each step.
   */
  terminate(): Promise<{ how: string; ms: number; lastLine: string }>;
  /** The same process again, at the same place; resolves once it is ready. */
  startAgain(): Promise<void>;
}

interface MemberOptions {
  name: string;
  url: string;
  command: readonly string[];
  cwd?: string;
  env: NodeJS.ProcessEnv;
  folder: RunFolder;
}

/** Starts it, and resolves once `/readyz` says so. */
export async function startMember(options: MemberOptions): Promise<Member> {
  const { name, url, env, folder, cwd } = options;
  const logFile = join(folder.dir, `${name}.log`);
  const [command = '', ...args] = options.command;
  const start = async (): Promise<SpawnedProcess> => {
    const started = spawnProcess({
      name,
      command,
      args,
      env,
      logFile,
      ...(cwd !== undefined && { cwd }),
      onSpawn: (identity) => folder.record.add(name, identity),
    });
    const givenUp = () => (started.ending() === undefined ? undefined : started.report());
    await waitUntil(`${name} is ready`, () => isReady(url), { timeoutMs: 90_000, givenUp });
    return started;
  };
  let running = await start();
  return {
    name,
    url,
    get pid() {
      return running.identity.pid;
    },
    output: () => readFileSync(logFile, 'utf8'),
    terminate: async () => {
      const began = performance.now();
      process.kill(running.identity.pid, 'SIGTERM');
      const how = await running.ended;
      const ms = Math.round(performance.now() - began);
      return { how, ms, lastLine: readFileSync(logFile, 'utf8').trimEnd().split('\n').at(-1) ?? '' };
    },
    startAgain: async () => {
      running = await start();
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  );
}
