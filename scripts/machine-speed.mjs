// How slow this machine is now, beside an idle one with two cores of 2026: the time limits of tests are multiplied by it.
import { generateKeyPairSync, sign } from 'node:crypto';

const ROUNDS = 5;
const SIGNATURES = 10;
/** What the idle machine took for one, in milliseconds; measured, the median of ten runs. */
const IDLE_MS = 0.4;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const content = Buffer.alloc(200, 'a');

/** At least 1; 2 where the same work takes twice as long. The median of some rounds, so that one interruption does not count. */
export function measureSlowness() {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    for (let i = 0; i < SIGNATURES; i += 1) sign('sha256', content, privateKey);
    return (performance.now() - began) / SIGNATURES;
  });
  return Math.max(1, rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] / IDLE_MS);
}
