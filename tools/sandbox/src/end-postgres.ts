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
 * Ends every PostgreSQL process of this cluster. Either the supervisor was killed and the postmaster still runs. Or the
 * postmaster was killed: then its backends end soon, and a new one refuses to start until they have.
 */
export async function endPostgresIn(cluster: string): Promise<void> {
  for (const postmaster of processesWhere((line) => line.includes(`postgres -D ${cluster} `))) {
    await endProcess(postmaster, END, 'process');
  }
  for (const backend of processesWhere((line) => line.startsWith(`postgres: ${clusterName(cluster)}: `))) {
    if (!(await waitUntilGone(backend, 3_000))) await endProcess(backend, END.slice(-1), 'process');
  }
  // Otherwise PostgreSQL could take a new process with the recorded pid for a running postmaster.
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/** The cluster's name in the titles of its processes. It distinguishes them from those of other clusters. */
export function clusterName(cluster: string): string {
  return `tidegate-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
}

function processesWhere(matches: (commandLine: string) => boolean): ProcessIdentity[] {
  return allPids()
    .filter((pid) => matches(commandLine(pid)))
    .flatMap((pid) => identify(pid) ?? []);
}
