import type { Domain, Log } from '@tidegate/domain';
import { rollUpAccounts, rollUpOrders } from '@tidegate/domain/worker';
import { repeatHere } from './repeat-here.ts';

/** Readers add what is not rolled up yet, so that this is a matter of their speed alone. */
const every = 5_000;
/** So many pieces in one turn; what is left then is the next one's. */
const mostPieces = 20;

/** Rolls orders' figures and accounts' totals up every five seconds. Of several workers one does it at a time, the others find nothing to do. */
export function keepRollingUp(domain: Domain, log: Log, everyMs = every): { stop(): Promise<void> } {
  return repeatHere(
    everyMs,
    async (isStopped) => {
      for (const piece of [rollUpOrders, rollUpAccounts]) {
        let isMore = true;
        for (let n = 0; isMore && !isStopped() && n < mostPieces; n += 1) isMore = await piece(domain);
      }
    },
    (err) => log.warn({ err }, 'the figures cannot be rolled up; they are read more slowly'),
  );
}
