// How slow this machine is now, beside an idle one with two cores of 2026: the time limits of tests are multiplied by it.
import { generateKeyPairSync, sign } from 'node:crypto';

const SIGNATURES = 200;
/** What the idle machine took for one, in milliseconds; measured, the median of ten runs. */
const IDLE_MS = 0.4;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const content = Buffer.alloc(200, 'a');

/** At least 1; 2 where the same work takes twice as long. */
export function measureSlowness() {
  const began = performance.now();
  for (let i = 0; i < SIGNATURES; i += 1) sign('sha256', content, privateKey);
  return Math.max(1, (performance.now() - began) / SIGNATURES / IDLE_MS);
}
