import type { Domain, Log } from '@tidegate/domain';
import { type PurgeableKind, purgeableKinds, purgeOldRows } from '@tidegate/domain/worker';
import { archiveTo } from './archive-rows.ts';
import { repeatHere } from './repeat-here.ts';

/** The retention of each kind in days. A missing kind is kept without limit. */
export type Retention = Partial<Record<PurgeableKind, number | undefined>>;

const every = 60_000;
/** Batches of one kind in one run. The next run continues. */
const mostBatches = 50;

/**
 * Purges rows past their retention once a minute, in small batches. Of several workers, only one purges a kind at a
 * time.
 */
export function keepPurging(
  domain: Domain,
  log: Log,
  {
    retention,
    archiveDir,
    everyMs = every,
  }: { retention: Retention; archiveDir?: string | undefined; everyMs?: number },
): { stop(): Promise<void> } {
  const archive = archiveDir === undefined ? null : archiveTo(archiveDir);
  return repeatHere(
    everyMs,
    async (isStopped) => {
      for (const kind of purgeableKinds) {
        const days = retention[kind];
        if (days === undefined) continue;
        let isMore = true;
        for (let n = 0; isMore && !isStopped() && n < mostBatches; n += 1)
          isMore = await purgeOldRows(domain, { kind, days, archive });
      }
    },
    (err) => log.warn({ err }, 'what is old cannot be archived or deleted; it is kept, and tried again'),
  );
}
