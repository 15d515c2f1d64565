import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@tidegate/domain';

export interface DrainOptions {
  /** Aborted at the first signal: from then on the process says that it is not ready, and keeps no connection open. */
  ending: AbortController;
  /** What is finished and closed, in this order; the names are for the log. */
  steps: Readonly<Record<string, () => unknown>>;
  log: Log;
  /** How long the process goes on as before after the signal, so that the load balancer sees that it is not ready; default 0. */
  noticeMs?: number;
  /** For all of it. What is not finished then is given up; default 25 s. */
  withinMs?: number;
}

/**
 * At SIGTERM or SIGINT finishes what was begun and ends the process: with 0; with 1 where a step failed or the time was over. What is
 * given up is lost nowhere: a lease runs out, and somebody else does it. A second signal changes nothing, since terminals
 * and process managers send it by accident; who cannot wait sends SIGKILL, which costs no more than the lease either.
 */
export function drainOnSignal(options: DrainOptions): void {
  const { ending, log } = options;
  const drain = (signal: string): void => {
    if (ending.signal.aborted) {
      log.info({ signal }, 'already ending');
      return;
    }
    log.info({ signal }, 'ending: what was begun is finished first');
    ending.abort();
    void finish(options).then((code) => process.exit(code));
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, drain);
}

async function finish({ steps, log, noticeMs = 0, withinMs = 25_000 }: DrainOptions): Promise<0 | 1> {
  let at = 'notice';
  let failed = false;
  // Keeps the process alive: a step that waits for nothing that Node knows of must not end it as if all were well.
  setTimeout(() => {
    log.error({ withinMs, unfinished: at }, 'ended before everything was finished; what is left is done elsewhere');
    process.exit(1);
  }, withinMs);
  await delay(noticeMs);
  for (const [name, step] of Object.entries(steps)) {
    at = name;
    try {
      await step();
    } catch (error) {
      failed = true;
      log.error({ err: error, step: name }, 'ending went wrong here; the rest is ended all the same');
    }
  }
  log.info({}, failed ? 'ended badly' : 'ended');
  return failed ? 1 : 0;
}
