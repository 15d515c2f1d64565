import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** One process and no later one with the same number: its pid and when it started, in clock ticks since boot. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTicks: number;
}

/** A signal, and how long the process has to go after it before the next one is sent. */
export interface EndingStep {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

/** What bears this pid now, be it a zombie that nobody has waited for; undefined when nothing does. */
export function identify(pid: number): ProcessIdentity | undefined {
  return readStat(pid)?.identity;
}

/** Whether that very process still lives; a zombie does not. */
export function isAlive(identity: ProcessIdentity): boolean {
  const stat = readStat(identity.pid);
  return stat !== undefined && stat.identity.startTicks === identity.startTicks && !'ZX'.includes(stat.state);
}

/** The command line, arguments separated by blanks; empty when the process is gone. */
export function commandLine(pid: number): string {
  return (readProc(pid, 'cmdline') ?? '').replaceAll('\0', ' ').trim();
}

/** The pids of all processes of the machine that can be seen. */
export function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Waits until the process is gone; false when it still lives after `timeoutMs`. */
export async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(identity)) {
    if (performance.now() >= deadline) return false;
    await delay(20);
  }
  return true;
}

/**
 * Sends one signal after the other until the process is gone. `group` signals its whole process group, for processes
 * that were started as leaders of their own. Does nothing to another process that got the same number.
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

/** Like process.kill, but a process that has just gone is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function readStat(pid: number): { identity: ProcessIdentity; state: string } | undefined {
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return undefined;
  // The second field is the program's name in brackets and may hold anything, brackets and blanks too.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startTicks = Number(fields[18]);
  if (state === undefined || !Number.isInteger(startTicks))
    throw new Error(`/proc/${pid}/stat cannot be read: ${stat}`);
  return { identity: { pid, startTicks }, state };
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
