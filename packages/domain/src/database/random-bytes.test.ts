import { expect, test } from 'vitest';
import { drawBytes } from './random-bytes.ts';

test('nobody gets what another one got, across draws too', () => {
  const all = Array.from({ length: 2_000 }, (_, n) => drawBytes(n % 3 === 0 ? 16 : 12));
  expect(all.map(({ length }, n) => length === (n % 3 === 0 ? 16 : 12))).not.toContain(false);
  expect(drawBytes(5_000)).toHaveLength(5_000);
  expect(new Set(all.map((bytes) => Buffer.from(bytes).toString('hex'))).size).toBe(2_000);
});
