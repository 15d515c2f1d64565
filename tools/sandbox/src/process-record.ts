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

/** The processes of a supervisor, recorded in a file. If the supervisor is killed, the next one ends them. */
export interface ProcessRecord {
  add(name: string, identity: ProcessIdentity): void;
  remove(identity: ProcessIdentity): void;
}

const END: readonly EndingStep[] = [
  { signal: 'SIGTERM', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

/** Begins an empty record. The file is replaced atomically at each change. */
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
 * Ends the processes that a killed supervisor left running, and returns their names. Only a process with the recorded
 * boot, pid and start time is ended; an equal name or command line would not prove that it is the same one.
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

/** The id of this boot of the machine. After another boot, pids and start times can repeat. */
function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
