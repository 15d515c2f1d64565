import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@tidegate/domain';

export interface DrainOptions {
  /** Aborted at the first signal. From then on the process is not ready, and keeps no connection open. */
  ending: AbortController;
  /** The steps to finish and close, in this order. The names are for the log. */
  steps: Readonly<Record<string, () => unknown>>;
  log: Log;
  /**
   * How long the process works normally after the signal, so that the load balancer sees that it is not ready; default
   * 0.
   */
  noticeMs?: number;
  /** The time limit of all steps together; default 25 s. */
  withinMs?: number;
}

/**
 * At SIGTERM or SIGINT finishes the open work and ends the process. It exits with 0, or with 1 if a step failed or the
 * time was over. Unfinished work is not lost: its lease expires, and another process does it. A second signal is
 * ignored, because terminals and process managers send it by accident. SIGKILL ends the process at once and costs no
 * more than the lease.
 */
export function drainOnSignal(options: DrainOptions): void {
  const { ending, log } = options;
  const drain = (signal: string): void => {
    if (ending.signal.aborted) {
      log.info({ signal }, 'already ending');
      return;
    }
    log.info({ signal }, 'shutting down: open work is finished first');
    ending.abort();
    void finish(options).then((code) => process.exit(code));
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, drain);
}

async function finish({ steps, log, noticeMs = 0, withinMs = 25_000 }: DrainOptions): Promise<0 | 1> {
  let at = 'notice';
  let failed = false;
  const tookMs: Record<string, number> = {};
  // Keeps the process alive. Otherwise it could end with 0 while a step waits for something that Node does not count.
  setTimeout(() => {
    log.error(
      { withinMs, unfinished: at, tookMs },
      'the time for the shutdown is over; other processes do the unfinished work',
    );
    process.exit(1);
  }, withinMs);
  await delay(noticeMs);
  for (const [name, step] of Object.entries(steps)) {
    at = name;
    const began = performance.now();
    try {
      await step();
    } catch (error) {
      failed = true;
      log.error({ err: error, step: name }, 'a shutdown step failed; the other steps go on');
    }
    tookMs[name] = Math.round(performance.now() - began);
  }
  log.info({ tookMs }, failed ? 'ended with errors' : 'ended');
  return failed ? 1 : 0;
}
