import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FaultGround, openFaultGround } from './faults/fault-ground.ts';
import { type Fault, faults } from './faults/faults.ts';
import { prove, strike, summaryOf } from './faults/run-fault.ts';

// Whatever breaks while a thousand orders are in flight: what was acknowledged comes to its right end, once, and its
// merchant is told; what was refused is not there; the books are right. A line about each fault is printed.

/** Each line one after the other on a ground of its own, all lines at the same time. */
const lines: { places: Fault['place'][] }[] = [
  { places: ['processes', 'upstream'] },
  { places: ['redis', 'commits'] },
  { places: ['postgres'] },
];

describe.concurrent.each(lines)('$places', ({ places }) => {
  let ground: FaultGround;
  beforeAll(async () => {
    ground = await openFaultGround();
  }, 180_000);
  afterAll(() => ground?.stop(), 120_000);

  const here = places.flatMap((place) => faults.filter((fault) => fault.place === place));
  test.each(here.map((fault, i) => ({ ...fault, prefix: `F${i}` })))(
    '$name',
    { timeout: 240_000, concurrent: false },
    async (fault) => {
      const payers = new AbortController();
      try {
        const struck = await strike(ground, fault, fault.prefix, payers.signal);
        const proof = await prove(ground, struck);
        console.log(summaryOf(struck, proof));
        expect(proof.problems).toEqual([]);
      } finally {
        payers.abort();
      }
    },
  );
});
