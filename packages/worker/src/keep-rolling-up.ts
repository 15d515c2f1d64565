import type { Domain, Log } from '@tidegate/domain';
import { rollUpAccounts, rollUpOrders } from '@tidegate/domain/worker';
import { repeatHere } from './repeat-here.ts';

/** Readers add what is not rolled up yet, so this interval affects only their speed. */
const every = 5_000;
/** Pieces in one run; the next run takes the rest. */
const mostPieces = 20;

/** Rolls orders' figures and accounts' totals up every five seconds. Of several workers only one does it at a time. */
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
