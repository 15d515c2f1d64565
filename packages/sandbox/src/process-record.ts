import { readFileSync } from 'node:fs';
import { type EndingStep, endProcess, isAlive, type ProcessIdentity } from './process-identity.ts';
import { writeAtomically } from './write-atomically.ts';

interface RecordedProcess extends ProcessIdentity {
  readonly name: string;
}

interface RecordContent {
  readonly bootId: string;
  readonly processes: readonly RecordedProcess[];
}

/** Records the running processes of a supervisor in a file, so that the next supervisor can end leftovers. */
export interface ProcessRecord {
  add(name: string, identity: ProcessIdentity): void;
  remove(identity: ProcessIdentity): void;
}

const END: readonly EndingStep[] = [
  { signal: 'SIGTERM', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

/** Begins an empty record. Each change replaces the file atomically. */
export function beginRecord(file: string): ProcessRecord {
  const running = new Map<number, RecordedProcess>();
  const write = () => {
    const content: RecordContent = { bootId: bootId(), processes: [...running.values()] };
    writeAtomically(file, `${JSON.stringify(content, undefined, 2)}\n`);
  };
  write();
  return {
    add: (name, identity) => {
      running.set(identity.pid, { name, ...identity });
      write();
    },
    remove: ({ pid }) => {
      if (running.delete(pid)) write();
    },
  };
}

/**
 * Ends the processes that the last supervisor left running, if they are the same ones (same boot, pid and start time; a
 * name or a command line would prove less). Returns their names.
 */
export async function endLeftovers(file: string): Promise<string[]> {
  const left = readRecord(file).filter(isAlive);
  await Promise.all(left.map((leftover) => endProcess(leftover, END, 'group')));
  return left.map(({ name }) => name);
}

function readRecord(file: string): readonly RecordedProcess[] {
  try {
    const content: RecordContent = JSON.parse(readFileSync(file, 'utf8'));
    return content.bootId === bootId() ? content.processes : [];
  } catch {
    return [];
  }
}

/** The id of this boot. Pids and start times can repeat after another boot. */
function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
