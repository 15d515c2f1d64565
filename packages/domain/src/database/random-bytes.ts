import { randomBytes } from 'node:crypto';

const drawnAtOnce = 3_072;
let drawn = Buffer.alloc(0);

/** So many random bytes, which nobody else gets. Drawn for many callers at once, as each draw costs microseconds however few bytes it is for. */
export function drawBytes(count: number): Uint8Array {
  if (count > drawn.length) drawn = randomBytes(Math.max(drawnAtOnce, count));
  const bytes = drawn.subarray(0, count);
  drawn = drawn.subarray(count);
  return bytes;
}
