import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const msPerTick = 10;

/** Processor time that a process has used so far, in milliseconds; 0 where it is gone. */
export function cpuMsOf(pid: number): number {
  const [, fields] = statOf(pid) ?? [];
  return fields ? (Number(fields[11]) + Number(fields[12])) * msPerTick : 0;
}

/** The same of a process with those that it started, as PostgreSQL's is one for each connection. */
export function cpuMsOfTree(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + cpuMsOf(one), endedChildrenMs(pid));
}

export function childrenOf(pid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((one) => Number(statOf(one)?.[1][1]) === pid);
}

function endedChildrenMs(pid: number): number {
  const fields = statOf(pid)?.[1];
  return fields ? (Number(fields[13]) + Number(fields[14])) * msPerTick : 0;
}

/** What stands in /proc/<pid>/stat: its name, and what follows it. */
function statOf(pid: number): [name: string, fields: string[]] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(')');
    return [text.slice(text.indexOf('(') + 1, end), text.slice(end + 2).split(' ')];
  } catch {
    return null;
  }
}
