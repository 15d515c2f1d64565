import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  allPids,
  commandLine,
  type EndingStep,
  endProcess,
  identify,
  type ProcessIdentity,
  waitUntilGone,
} from './process-identity.ts';

const END: readonly EndingStep[] = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

/**
 * Ends every PostgreSQL process that still runs on this cluster. It may be a postmaster whose supervisor was killed.
 * Or the postmaster itself was killed: its backends notice, but a new one refuses to start before they have ended.
 */
export async function endPostgresIn(cluster: string): Promise<void> {
  for (const postmaster of processesWhere((line) => line.includes(`postgres -D ${cluster} `))) {
    await endProcess(postmaster, END, 'process');
  }
  for (const backend of processesWhere((line) => line.startsWith(`postgres: ${clusterName(cluster)}: `))) {
    if (!(await waitUntilGone(backend, 3_000))) await endProcess(backend, END.slice(-1), 'process');
  }
  // PostgreSQL would mistake a later process with the recorded pid for a running postmaster.
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/** What the server's processes show in their titles, to distinguish them from those of other clusters. */
export function clusterName(cluster: string): string {
  return `tidegate-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
}

function processesWhere(matches: (commandLine: string) => boolean): ProcessIdentity[] {
  return allPids()
    .filter((pid) => matches(commandLine(pid)))
    .flatMap((pid) => identify(pid) ?? []);
}
