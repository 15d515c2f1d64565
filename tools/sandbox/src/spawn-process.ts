import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { lastLines } from './log-file.ts';
import { type EndingStep, endProcess, identify, type ProcessIdentity } from './process-identity.ts';

export interface SpawnRequest {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The process's output is appended to this file. */
  readonly logFile: string;
  readonly cwd?: string;
  /** The user to run as. Possible only for root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Text for standard input. Default: none. */
  readonly input?: string;
  /** Called in the tick in which the process is created, so that no process runs without being recorded. */
  readonly onSpawn?: ((identity: ProcessIdentity) => void) | undefined;
}

export interface SpawnedProcess {
  readonly name: string;
  readonly identity: ProcessIdentity;
  /** How the process ended, e.g. "exit code 1" or "SIGKILL"; undefined while it runs. */
  ending(): string | undefined;
  /** Resolves to the text of `ending` when the process has ended. Never rejects. */
  readonly ended: Promise<string>;
  /** The text of `ending` and the last lines of the log, for messages. */
  report(): string;
  /** Sends the signals one after the other to the process group until the process has ended. */
  end(steps: readonly EndingStep[]): Promise<void>;
}

/**
 * Starts a process in a process group and session of its own, so that Ctrl-C in the terminal reaches only its
 * supervisor. It writes to its log file directly, so it can outlive a killed supervisor.
 */
export function spawnProcess(request: SpawnRequest): SpawnedProcess {
  const log = openSync(request.logFile, 'a', 0o600);
  let child: ChildProcess;
  try {
    child = spawn(request.command, request.args, {
      detached: true,
      env: request.env,
      stdio: [request.input === undefined ? 'ignore' : 'pipe', log, log],
      ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
      ...(request.user === undefined ? {} : { uid: request.user.uid, gid: request.user.gid }),
    });
  } finally {
    closeSync(log);
  }
  let ending: string | undefined;
  const ended = new Promise<string>((resolve) => {
    const finish = (how: string) => {
      ending ??= how;
      resolve(ending);
    };
    child.once('error', (error) => finish(error.message));
    child.once('exit', (code, signal) => finish(signal ?? `exit code ${code}`));
  });
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (identity === undefined) throw new Error(`${request.name}: ${request.command} could not be started`);
  request.onSpawn?.(identity);
  child.stdin?.on('error', () => {});
  child.stdin?.end(request.input);
  return {
    name: request.name,
    identity,
    ending: () => ending,
    ended,
    report: () =>
      `ended (${ending ?? 'still running'}); its log ${request.logFile} ends with:\n${lastLines(request.logFile, 20)}`,
    end: async (steps) => {
      await endProcess(identity, steps, 'group');
      await ended;
    },
  };
}
