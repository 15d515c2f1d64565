import type { Domain, Log } from '@tidegate/domain';
import { wipeEndedSecrets } from '@tidegate/domain/operators';

/** Wipes the secrets of approvals that ended undecided, now and every minute, until it is stopped. */
export function startWiping(domain: Domain, log: Log, everyMs = 60_000): { stop(): Promise<void> } {
  let running = Promise.resolve();
  const wipe = (): void => {
    running = running
      .then(() => wipeEndedSecrets(domain))
      .then((count) => {
        if (count > 0) log.info({ count }, 'secrets of ended approvals were wiped');
      })
      .catch((err: unknown) => log.warn({ err }, 'secrets of ended approvals cannot be wiped now'));
  };
  wipe();
  const timer = setInterval(wipe, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
