import { readdirSync, readFileSync } from 'node:fs';

/** /proc counts in hundredths of a second on every Linux that Node supports. */
const msPerTick = 10;

/** The processor time of a process so far, in milliseconds; 0 if it has ended. */
export function cpuMsOf(pid: number): number {
  const [, fields] = statOf(pid) ?? [];
  return fields ? (Number(fields[11]) + Number(fields[12])) * msPerTick : 0;
}

/** Processor time of a process and its children, because PostgreSQL has a process for each connection. */
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

/** Parses /proc/<pid>/stat: the name, and the fields after it. */
function statOf(pid: number): [name: string, fields: string[]] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(')');
    return [text.slice(text.indexOf('(') + 1, end), text.slice(end + 2).split(' ')];
  } catch {
    return null;
  }
}

/**
 * Begins to count how long this process, or the one of PostgreSQL that works for it, is ready to run while others have
 * the processors. The two work in turn, so a machine without other work takes less time by as much. The result reads
 * the count, in seconds. `postgresPid`: the server, whose database is `bench`.
 */
export function countWaiting(postgresPid: number): () => number {
  const read = (): Map<number, number> => {
    const serving = childrenOf(postgresPid).filter((pid) => titleOf(pid).includes(' bench '));
    return new Map([process.pid, ...serving].map((pid) => [pid, waitedMsOf(pid)]));
  };
  const before = read();
  return () => [...read()].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0) / 1_000;
}

/** The title of a process. PostgreSQL names the database of each connection in it. Empty if the process has ended. */
function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** How long the main thread of a process was ready to run and had no processor, in milliseconds; 0 if it has ended. */
function waitedMsOf(pid: number): number {
  try {
    const [, waited] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0;
  }
}
