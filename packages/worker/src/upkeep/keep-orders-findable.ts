import type { Domain, Log } from '@tidegate/domain';
import { fillOrderSearch } from '@tidegate/domain/worker';
import { repeatHere } from './repeat-here.ts';

/** Pause between runs, in ms. Orders can be found about two seconds after their creation. */
const every = 1_000;
/**
 * The number of batches of 2,000 orders in one run. It limits the load of the database while orders from before the
 * search existed are filled in.
 */
const maxPieces = 3;

/** Fills the search rows of new and old orders. Of several workers only one does it at a time. */
export function keepOrdersFindable(domain: Domain, log: Log, everyMs = every): { stop(): Promise<void> } {
  return repeatHere(
    everyMs,
    async (isStopped) => {
      let isMore = true;
      for (let n = 0; isMore && !isStopped() && n < maxPieces; n += 1) isMore = await fillOrderSearch(domain);
    },
    (err) => log.warn({ err }, 'new orders cannot be found by account, phone and name yet'),
  );
}
