import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOPBACK } from '../../tools/sandbox/src/ports.ts';
import {
  allPids,
  identify,
  type ProcessIdentity,
  sendSignal,
  waitUntilGone,
} from '../../tools/sandbox/src/process-identity.ts';
import type { ProcessRecord } from '../../tools/sandbox/src/process-record.ts';
import type { SpawnedProcess } from '../../tools/sandbox/src/spawn-process.ts';

/** One of the three servers: a PostgreSQL with its Patroni. */
export interface PatroniNode {
  readonly name: string;
  readonly port: number;
  readonly restUrl: string;
  /** The database `tidegate` on this server alone, whatever its role. */
  readonly url: string;
  /** Whether it holds the lease, by its own word. */
  isPrimary(): Promise<boolean>;
  /** Whether it follows the primary, by its own word. */
  isReplica(): Promise<boolean>;
  /** SIGKILL of the postmaster. Its Patroni lives. */
  killPostgres(): Promise<void>;
  /** SIGKILL of both. */
  killBoth(): Promise<void>;
  /** Stops every process of this server, as when its machine is paused. */
  freeze(): void;
  wake(): void;
  /** Cuts the way from this server to the store: what is sent arrives nowhere, and nothing comes. */
  cutFromStore(): void;
  joinStore(): void;
  /** Starts Patroni again after killBoth. */
  startAgain(): void;
  /** Ends everything at once. */
  end(): Promise<void>;
  /** Whether its Patroni runs, with the last lines of its log. */
  report(): string;
  /** Records the postmaster of now, so that a later run ends it if this one is killed. */
  recordPostgres(): void;
}

interface NodeOptions {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly dataDir: string;
  readonly url: string;
  readonly record: ProcessRecord;
  readonly startPatroni: () => SpawnedProcess;
  /** Carries what this server sends to the store. */
  readonly wayToStore: SpawnedProcess;
}

export function openNode({ name, port, restPort, dataDir, url, record, ...of }: NodeOptions): PatroniNode {
  const restUrl = `http://${LOOPBACK}:${restPort}`;
  let patroni = of.startPatroni();
  let recorded: ProcessIdentity | undefined;
  const says = (path: string): Promise<boolean> =>
    fetch(`${restUrl}/${path}`, { method: 'OPTIONS', signal: AbortSignal.timeout(1_000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  const postmaster = (): ProcessIdentity | undefined => {
    const pid = postmasterPid(dataDir);
    return pid === null ? undefined : identify(pid);
  };
  const killPostgres = async (): Promise<void> => {
    const killed = postmaster();
    if (!killed) return;
    const backends = childrenOf(killed.pid);
    sendSignal(killed.pid, 'SIGKILL');
    // Backends see that their postmaster has gone; a frozen one does not.
    for (const { pid } of backends) sendSignal(pid, 'SIGKILL');
    await waitUntilGone(killed, 5_000);
  };
  const frozen: ProcessIdentity[] = [];
  const wake = (): void => {
    for (const { pid } of frozen.splice(0)) sendSignal(pid, 'SIGCONT');
  };
  return {
    name,
    port,
    restUrl,
    url,
    isPrimary: () => says('primary'),
    isReplica: () => says('replica'),
    killPostgres,
    killBoth: async () => {
      await patroni.end([{ signal: 'SIGKILL', waitMs: 5_000 }]);
      await killPostgres();
    },
    freeze: () => {
      const main = postmaster();
      // A postmaster that is frozen first starts no further backend.
      const all = [...(main ? [main] : []), patroni.identity, ...(main ? childrenOf(main.pid) : [])];
      for (const identity of all) {
        sendSignal(identity.pid, 'SIGSTOP');
        record.add(`${name} frozen`, identity);
      }
      frozen.push(...all);
    },
    wake,
    cutFromStore: () => sendSignal(of.wayToStore.identity.pid, 'SIGSTOP'),
    joinStore: () => sendSignal(of.wayToStore.identity.pid, 'SIGCONT'),
    startAgain: () => {
      patroni = of.startPatroni();
    },
    end: async () => {
      wake();
      await patroni.end([{ signal: 'SIGKILL', waitMs: 5_000 }]);
      await killPostgres();
      await of.wayToStore.end([{ signal: 'SIGKILL', waitMs: 5_000 }]);
    },
    report: () => patroni.report(),
    recordPostgres: () => {
      const found = postmaster();
      if (!found || found.pid === recorded?.pid) return;
      if (recorded) record.remove(recorded);
      record.add(`postgres of ${name}`, found);
      recorded = found;
    },
  };
}

function postmasterPid(dataDir: string): number | null {
  try {
    return Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]) || null;
  } catch {
    return null;
  }
}

function childrenOf(parent: number): ProcessIdentity[] {
  return allPids()
    .filter((pid) => parentOf(pid) === parent)
    .flatMap((pid) => identify(pid) ?? []);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
