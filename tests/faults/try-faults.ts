import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChaosHarness, openChaosHarness } from './chaos-harness.ts';
import type { Fault } from './faults.ts';
import type { Proof } from './prove-orders.ts';
import { injectFault, type Load, prove, summaryOf } from './run-fault.ts';

/**
 * Tries these faults on real processes with orders in flight: what was acknowledged reaches the expected status, once, and its merchant is
 * notified; what was refused does not exist; the ledger audit finds nothing. Prints a line about each fault.
 *
 * The faults of a line are injected one after the other on processes of their own; all lines at the same time. `isOverlapping`: the orders of a
 * fault end while the next faults of its line last.
 */
export function tryFaults(lines: readonly (readonly Fault[])[], load: Load, isOverlapping: boolean): void {
  // While the processes of other lines start, a create could take longer than a merchant waits.
  const starting: Promise<ChaosHarness>[] = [];
  describe.concurrent.each(lines.map((line, nth) => ({ nth: nth + 1, line })))('line $nth', ({ line }) => {
    let fixture: ChaosHarness;
    const payers = new AbortController();
    beforeAll(async () => {
      const started = openChaosHarness();
      starting.push(started);
      fixture = await started;
      await Promise.allSettled(starting);
    }, 330_000);
    afterAll(async () => {
      payers.abort();
      await fixture?.stop();
    }, 120_000);

    const here = line.map((fault, i) => ({ ...fault, prefix: `F${i}` }));
    const proofs = new Map<string, Promise<Proof>>();
    const options = { timeout: 900_000, concurrent: false };

    test.each(here)('$name: the service works again', options, async (fault) => {
      const run = await injectFault(fixture, fault, { prefix: fault.prefix, payers: payers.signal, load });
      const proving = prove(fixture, run).then((proof) => {
        console.log(summaryOf(run, proof));
        return proof;
      });
      // The test below sees how it ends.
      proving.catch(() => undefined);
      proofs.set(fault.prefix, proving);
      if (!isOverlapping) await proving;
    });

    test.each(here)('$name: every order ends as expected', options, async ({ prefix }) => {
      const problems = (await proofs.get(prefix))?.problems;
      expect(problems, problems?.join('\n')).toEqual([]);
    });
  });
}
