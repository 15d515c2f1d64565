import { readFileSync } from 'node:fs';
import { childrenOf } from './cpu-time.ts';

/** The memory of a process and its children, in MiB. Shared memory is divided among its processes. */
export function memoryMib(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + proportionalMib(one), 0);
}

function proportionalMib(pid: number): number {
  try {
    return Number(/^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
