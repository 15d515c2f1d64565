import { expect, test } from 'vitest';
import { cachedReading } from './cached-reading.ts';

test('a call during a reading gets its result, which is then cached', async () => {
  let readings = 0;
  const slow = Promise.withResolvers<void>();
  const read = cachedReading(
    async () => {
      readings += 1;
      await slow.promise;
      return readings;
    },
    { keptMs: 60_000 },
  );
  const concurrent = [read(), read(), read()];
  slow.resolve();
  expect(await Promise.all(concurrent)).toEqual([1, 1, 1]);
  expect([await read(), readings]).toEqual([1, 1]);
});

test('a failed reading returns null, and is repeated', async () => {
  const answers = [() => Promise.reject(new Error('unavailable')), () => Promise.resolve(7)];
  const read = cachedReading(() => (answers.shift() as () => Promise<number>)(), { keptMs: 0 });
  expect([await read(), await read()]).toEqual([null, 7]);
});

test('a call waits for a reading for a limited time, and no second reading begins meanwhile', async () => {
  let readings = 0;
  const read = cachedReading(
    () => {
      readings += 1;
      return new Promise<number>(() => undefined);
    },
    { keptMs: 0, withinMs: 5 },
  );
  expect([await read(), await read(), readings]).toEqual([null, null, 1]);
});
