import type { Domain, Log } from '@tidegate/domain';
import { type PurgeableKind, purgeableKinds, purgeOldRows, purgeStatementContent } from '@tidegate/domain/worker';
import { archiveTo } from './archive-rows.ts';
import { repeatHere } from './repeat-here.ts';

/** The retention of each kind in days, and that of the bytes of statements. A missing kind is kept without limit. */
export type Retention = Partial<Record<PurgeableKind | 'statement_content', number | undefined>>;

const every = 60_000;
/** The most batches of one kind in one run. The next run continues. */
const maxBatches = 50;

/**
 * Purges rows past their retention once a minute, in small batches. Of several workers, only one purges a kind at a
 * time. The bytes of statements are never archived.
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
  const failed = (err: unknown, kind: string | null): void =>
    log.warn({ err, kind }, 'old rows could not be archived or deleted; they are kept until the next run');
  return repeatHere(
    everyMs,
    async (isStopped) => {
      const purge = async (kind: keyof Retention, batch: (days: number) => Promise<boolean>): Promise<void> => {
        const days = retention[kind];
        if (days === undefined) return;
        try {
          let isMore = true;
          for (let n = 0; isMore && !isStopped() && n < maxBatches; n += 1) isMore = await batch(days);
        } catch (err) {
          // The other kinds are still purged.
          failed(err, kind);
        }
      };
      for (const kind of purgeableKinds) await purge(kind, (days) => purgeOldRows(domain, { kind, days, archive }));
      await purge('statement_content', (days) => purgeStatementContent(domain, { days }));
    },
    (err) => failed(err, null),
  );
}
