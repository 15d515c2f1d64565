import { type Domain, every, type Log } from '@tidegate/domain';
import { purgeOrphanedFiles, wipeEndedSecrets } from '@tidegate/domain/operators';

/**
 * Wipes the secrets of approvals that ended undecided, and deletes files of bookings that never came to be: now and every
 * minute, until it is stopped.
 */
export function startWiping(domain: Domain, log: Log, everyMs = 60_000): { stop(): Promise<void> } {
  let running = Promise.resolve();
  const wipe = (): void => {
    running = running
      .then(() => wipeEndedSecrets(domain))
      .then((count) => {
        if (count > 0) log.info({ count }, 'secrets of ended approvals were wiped');
      })
      .then(() => purgeOrphanedFiles(domain))
      .then(() => undefined)
      .catch(failed);
  };
  const failed = (err: unknown): void =>
    log.warn({ err }, 'secrets of ended approvals, or files without a booking, cannot be deleted now');
  wipe();
  const timer = every(everyMs, wipe, failed);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
