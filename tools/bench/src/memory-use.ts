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
    // The process has ended.
    return 0;
  }
}

/** Peak memory of this process. `maxRSS` would include the memory of the process that started it. Linux only. */
export function peakMemoryKib(): number {
  return Number(/VmHWM:\s+([0-9]+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
}
