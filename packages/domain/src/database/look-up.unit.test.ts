import { expect, test } from 'vitest';
import { LedgerUnavailable } from './connection-loss.ts';
import { lookUpLimit, openLookUp } from './look-up.ts';

function lookUps(known: Record<string, number>) {
  const sizes: number[] = [];
  let failure: Error | null = null;
  const look = openLookUp<number>(async (keys) => {
    sizes.push(keys.length);
    await new Promise(setImmediate);
    if (failure) throw failure;
    return new Map(Object.entries(known).filter(([key]) => keys.includes(key)));
  });
  const fail = (error: Error | null) => {
    failure = error;
  };
  return { look, sizes, fail };
}

test('keys that arrive together or during a statement share the next one', async () => {
  const { look, sizes } = lookUps({ k7: 7, k250: 250 });
  const found = await Promise.all(Array.from({ length: 401 }, (_, i) => look(`k${i}`)));
  expect(sizes).toEqual([200, 200, 1]);
  expect(found.flatMap((value) => value ?? [])).toEqual([7, 250]);
});

test('look-ups above the limit are refused, and waiting ones are answered', async () => {
  const { look } = lookUps({});
  const all = await Promise.allSettled(Array.from({ length: lookUpLimit + 30 }, (_, i) => look(`k${i}`)));
  const refused = all.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(30);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(LedgerUnavailable);
});

test('a failed statement fails its own keys only', async () => {
  const { look, fail } = lookUps({ a: 1 });
  fail(new Error('refused'));
  await expect(look('a')).rejects.toThrow('refused');
  fail(null);
  expect(await look('a')).toBe(1);
});
