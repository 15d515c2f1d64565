import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@tidegate/domain';

export interface DrainOptions {
  /** Aborted at the first signal. From then on `/readyz` answers 503, and answers close their connections. */
  ending: AbortController;
  /** The steps of the shutdown, in this order. The names appear in the log. */
  steps: Readonly<Record<string, () => unknown>>;
  log: Log;
  /**
   * How long the process goes on working after the signal, so that the load balancer notices that it is not ready;
   * default 0.
   */
  noticeMs?: number;
  /** The time limit for notice and steps together; default 25 s. */
  withinMs?: number;
}

/**
 * At SIGTERM or SIGINT, finishes open work and ends the process. The exit code is 0, or 1 if a step failed or the time
 * limit was reached. Unfinished work is not lost: its lease expires, and another process takes over. A second signal is
 * ignored, because terminals and process managers send it by accident. SIGKILL ends the process at once; its work then
 * waits until the leases expire.
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
  // The timer also keeps the process alive. Otherwise it could end with 0 during a step that waits for something that
  // does not hold Node's event loop.
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
