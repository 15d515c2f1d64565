import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Identifies a process by its pid and its start time in clock ticks since boot. So a later process with the same pid is
 * a different one.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTicks: number;
}

/** A signal, and how long to wait for the process to end before the next signal is sent. */
export interface EndingStep {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

/** The process that has this pid now, even a zombie; undefined if there is none. */
export function identify(pid: number): ProcessIdentity | undefined {
  return readStat(pid)?.identity;
}

/**
 * Whether this process is still alive. A zombie is not, but its main thread is a zombie before its other threads have
 * ended. Until the last one has ended, the process still has its ports and files.
 */
export function isAlive(identity: ProcessIdentity): boolean {
  const stat = readStat(identity.pid);
  if (stat === undefined || stat.identity.startTicks !== identity.startTicks) return false;
  return !'ZX'.includes(stat.state) || stat.threads > 1;
}

/** The command line, arguments separated by spaces; empty if the process has ended. */
export function commandLine(pid: number): string {
  return (readProc(pid, 'cmdline') ?? '').replaceAll('\0', ' ').trim();
}

/** The pids of all visible processes of the machine. */
export function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Waits until the process has ended. Resolves to false if it still runs after `timeoutMs`. */
export async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(identity)) {
    if (performance.now() >= deadline) return false;
    await delay(20);
  }
  return true;
}

/**
 * Sends the signals one after the other until the process has ended. `group` signals its process group, for processes
 * that were started as group leaders. A later process with the same pid is never signalled.
 */
export async function endProcess(
  identity: ProcessIdentity,
  steps: readonly EndingStep[],
  target: 'process' | 'group',
): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!isAlive(identity)) return;
    sendSignal(target === 'group' ? -identity.pid : identity.pid, signal);
    if (await waitUntilGone(identity, waitMs)) return;
  }
}

/** Like process.kill, but ignores that the process has already ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function readStat(pid: number): { identity: ProcessIdentity; state: string; threads: number } | undefined {
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return undefined;
  // The second field is the program's name in brackets. It may itself contain brackets and spaces.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startTicks = Number(fields[18]);
  const threads = Number(fields[16]);
  if (state === undefined || !Number.isInteger(startTicks))
    throw new Error(`/proc/${pid}/stat cannot be read: ${stat}`);
  return { identity: { pid, startTicks }, state, threads };
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
