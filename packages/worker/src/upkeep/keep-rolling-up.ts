import type { Domain, Log } from '@tidegate/domain';
import {
  dropOverWatches,
  rollUpAccounts,
  rollUpAttempts,
  rollUpCalls,
  rollUpEntries,
  rollUpFacets,
  rollUpOrders,
  watchEndedOrders,
} from '@tidegate/domain/worker';
import { repeatHere } from './repeat-here.ts';

/** Readers add rows that are not rolled up yet, so this interval affects only their speed. */
const every = 5_000;
/** The most steps in one run. The next run continues. */
const maxPieces = 20;

const pieces: readonly ((domain: Domain) => Promise<boolean>)[] = [
  rollUpOrders,
  rollUpAccounts,
  rollUpEntries,
  rollUpFacets,
  rollUpCalls,
  rollUpAttempts,
  watchEndedOrders,
  dropOverWatches,
];

/** Updates the roll-ups every five seconds. Of several workers only one does it at a time. */
export function keepRollingUp(domain: Domain, log: Log, everyMs = every): { stop(): Promise<void> } {
  return repeatHere(
    everyMs,
    async (isStopped) => {
      for (const piece of pieces) {
        let isMore = true;
        for (let n = 0; isMore && !isStopped() && n < maxPieces; n += 1) isMore = await piece(domain);
      }
    },
    (err) =>
      log.warn({ err }, 'the figures cannot be rolled up, and are read more slowly; or ended orders cannot be watched'),
  );
}
