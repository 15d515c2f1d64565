import type { Domain, Log } from '@tidegate/domain';
import { fillOrderSearch } from '@tidegate/domain/worker';
import { repeatHere } from './repeat-here.ts';

/** Pause between runs, in ms. Orders can be found about two seconds after their creation. */
const every = 1_000;
/** Pieces of 2,000 orders in one run. Orders from before the search existed take no more than this from the database. */
const maxPieces = 3;

/** Makes new and old orders findable. Of several workers only one does it at a time. */
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
