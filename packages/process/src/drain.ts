import type { Log } from '@tidegate/domain';

const withinMs = 20_000;

/**
 * At SIGTERM or SIGINT runs `steps` in their order and ends the process with 0; after 20 s, or when a step fails, with 1.
 * A second signal changes nothing.
 */
export function drainOnSignal(steps: readonly (() => Promise<unknown>)[], log: Log): void {
  let draining = false;
  const drain = async (signal: string) => {
    if (draining) return;
    draining = true;
    log.info({ signal }, 'ending: what was begun is finished first');
    setTimeout(() => {
      log.error({ withinMs }, 'ended before everything was finished');
      process.exit(1);
    }, withinMs).unref();
    try {
      for (const step of steps) await step();
      log.info({}, 'ended');
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'ended badly');
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void drain(signal));
}
