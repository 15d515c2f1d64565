import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChaosHarness, openChaosHarness } from './chaos-harness.ts';
import { type Fault, faults } from './faults.ts';
import { type Load, prove, strike, summaryOf } from './run-fault.ts';

/** The faults of a line are tried one after the other on processes of their own; all lines at the same time. */
const lines: { places: Fault['place'][] }[] = [
  { places: ['processes', 'upstream'] },
  { places: ['redis', 'commits'] },
  { places: ['postgres'] },
];

/**
 * Tries these faults on real processes with orders in flight: what was acknowledged comes to its right end, once, and its merchant is
 * notified; what was refused is not there; the ledger audit finds nothing. Prints a line about each fault.
 */
export function tryFaults(isWanted: (fault: Fault) => boolean, load: Load): void {
  describe.concurrent.each(lines)('$places', ({ places }) => {
    let fixture: ChaosHarness;
    beforeAll(async () => {
      fixture = await openChaosHarness();
    }, 180_000);
    afterAll(() => fixture?.stop(), 120_000);

    const here = places.flatMap((place) => faults.filter((fault) => fault.place === place && isWanted(fault)));
    test.each(here.map((fault, i) => ({ ...fault, prefix: `F${i}` })))(
      '$name',
      { timeout: 240_000, concurrent: false },
      async (fault) => {
        const payers = new AbortController();
        try {
          const struck = await strike(fixture, fault, { prefix: fault.prefix, payers: payers.signal, load });
          const proof = await prove(fixture, struck);
          console.log(summaryOf(struck, proof));
          expect(proof.problems).toEqual([]);
        } finally {
          payers.abort();
        }
      },
    );
  });
}
