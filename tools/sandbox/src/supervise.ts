import { setTimeout as delay } from 'node:timers/promises';
import { type EndingStep, endProcess, type ProcessIdentity, sendSignal } from './process-identity.ts';
import { beginRecord } from './process-record.ts';

/** A process that is kept running as long as the sandbox. */
export interface Service {
  readonly name: string;
  /** Starts the process and resolves when it is ready. `onSpawn` is called as soon as the process exists. */
  start(onSpawn: (identity: ProcessIdentity) => void): Promise<RunningService>;
}

export interface RunningService {
  readonly identity: ProcessIdentity;
  /** Resolves to the reason when the process has ended. */
  readonly ended: Promise<string>;
  /** How it ended, for messages. */
  report(): string;
  /** Ends the process within a limited time. */
  stop(): Promise<void>;
}

export interface Supervisor {
  /** Starts these services together, and resolves when all are ready. Rejects if one cannot be started. */
  startGroup(services: readonly Service[]): Promise<void>;
  /** Resolves to the reason when a service has died too often. */
  readonly givenUp: Promise<string>;
  /** Ends everything. The group that was started last is ended first. */
  stopAll(): Promise<void>;
}

export interface SupervisorOptions {
  /** The file for the record of running processes (process-record.ts). */
  readonly recordFile: string;
  readonly say: (line: string) => void;
  /** A service that dies more often than this within a minute is not restarted. Default 5. */
  readonly maxDeathsPerMinute?: number;
  /** The wait before a restart. It doubles with each death in the last minute, up to 8 s. Default 500. */
  readonly backOffMs?: number;
}

interface Supervised {
  readonly service: Service;
  /** The process, while it starts or runs. */
  process: ProcessIdentity | undefined;
  running: RunningService | undefined;
}

const MAX_BACK_OFF_MS = 8_000;
const KILL: readonly EndingStep[] = [{ signal: 'SIGKILL', waitMs: 5_000 }];

/** Keeps services running: starts them in groups, restarts those that die, and ends everything in reverse order. */
export function supervise(options: SupervisorOptions): Supervisor {
  const { say, maxDeathsPerMinute = 5, backOffMs = 500 } = options;
  const record = beginRecord(options.recordFile);
  const stages: Supervised[][] = [];
  const stopping = new AbortController();
  let giveUp: (reason: string) => void = () => {};
  const givenUp = new Promise<string>((resolve) => {
    giveUp = resolve;
  });

  async function start(entry: Supervised): Promise<void> {
    entry.running = await entry.service.start((identity) => {
      entry.process = identity;
      record.add(entry.service.name, identity);
      if (stopping.signal.aborted) sendSignal(-identity.pid, 'SIGKILL');
    });
  }

  async function keepRunning(entry: Supervised): Promise<void> {
    let deaths: number[] = [];
    while (!stopping.signal.aborted) {
      await entry.running?.ended;
      if (entry.process !== undefined) record.remove(entry.process);
      if (stopping.signal.aborted) return;
      const now = performance.now();
      deaths = [...deaths.filter((death) => death > now - 60_000), now];
      say(`${entry.service.name} ${entry.running?.report() ?? 'could not be started again'}`);
      if (deaths.length > maxDeathsPerMinute) {
        return giveUp(`${entry.service.name} died ${deaths.length} times within a minute`);
      }
      const waitMs = Math.min(backOffMs * 2 ** (deaths.length - 1), MAX_BACK_OFF_MS);
      say(`${entry.service.name} is started again in ${waitMs / 1000} s`);
      await startAgain(entry, waitMs);
    }
  }

  async function startAgain(entry: Supervised, waitMs: number): Promise<void> {
    entry.running = undefined;
    try {
      await delay(waitMs, undefined, { signal: stopping.signal });
      await start(entry);
      say(`${entry.service.name} is back`);
    } catch (error) {
      if (!stopping.signal.aborted) say(error instanceof Error ? error.message : String(error));
    }
  }

  async function stop(entry: Supervised): Promise<void> {
    if (entry.running !== undefined) await entry.running.stop();
    // A process that is still starting does not shut down on request, so it is killed.
    else if (entry.process !== undefined) await endProcess(entry.process, KILL, 'group');
    if (entry.process !== undefined) record.remove(entry.process);
  }

  return {
    givenUp,
    startGroup: async (services) => {
      const stage = services.map((service): Supervised => ({ service, process: undefined, running: undefined }));
      stages.push(stage);
      await Promise.all(stage.map(start));
      for (const entry of stage) void keepRunning(entry);
    },
    stopAll: async () => {
      stopping.abort();
      for (const stage of stages.toReversed()) await Promise.all(stage.map(stop));
    },
  };
}
