import { expect, test } from 'vitest';
import { batchedLookups } from './batched-lookups.ts';
import { LedgerUnavailable } from './connection-loss.ts';

function lookups(known: Record<string, number>, limits = { perStatement: 100, maxWaiting: 1_000 }) {
  const batchSizes: number[] = [];
  let broken = false;
  const look = batchedLookups<number>({
    ...limits,
    ask: async (keys) => {
      batchSizes.push(keys.length);
      await new Promise((resolve) => setImmediate(resolve));
      if (broken) throw new Error('gone');
      return new Map(Object.entries(known).filter(([key]) => keys.includes(key)));
    },
  });
  return { look, batchSizes, break: () => (broken = true), repair: () => (broken = false) };
}

test('keys that arrive during a statement share the next statement', async () => {
  const { look, batchSizes } = lookups({ k7: 7, k150: 150 });
  const found = await Promise.all(Array.from({ length: 201 }, (_, i) => look(`k${i}`)));
  expect(batchSizes).toEqual([1, 100, 100]);
  expect(found.map((value, i) => (value === null ? null : i)).filter((i) => i !== null)).toEqual([7, 150]);
});

test('look-ups above the limit are refused, and waiting ones are answered', async () => {
  const { look } = lookups({ k1: 1 }, { perStatement: 10, maxWaiting: 20 });
  const all = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => look(`k${i}`)));
  const refused = all.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(29);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(LedgerUnavailable);
});

test('a failed statement affects only its own keys, and the next statement runs', async () => {
  const { look, break: breakIt, repair } = lookups({ a: 1 });
  breakIt();
  await expect(look('a')).rejects.toThrow('gone');
  repair();
  expect(await look('a')).toBe(1);
});
