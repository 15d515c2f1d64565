import { readFileSync } from 'node:fs';
import { childrenOf } from './cpu-time.ts';

/** What a process and those that it started hold of the memory, in MiB: what several share is divided among them. */
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
