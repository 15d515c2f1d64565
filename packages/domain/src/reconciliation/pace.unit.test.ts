import { expect, test } from 'vitest';
import { openPace, restAfter } from './pace.ts';

test.each([
  [0, 0],
  [99, 0],
  [100, 300],
  [300, 900],
  [60_000, 2_000],
])('work of %i ms is followed by a rest of %i ms', (worked, rest) => {
  expect(restAfter(worked)).toBe(rest);
});

test('short pieces of work add up to a rest, and the count begins again after it', async () => {
  const counted: number[] = [];
  const pace = openPace(
    () => false,
    (workedMs) => {
      counted.push(workedMs);
      return counted.length === 2 ? 5 : 0;
    },
  );
  const work = (ms: number): void => {
    for (const until = performance.now() + ms; performance.now() < until; );
  };
  for (const ms of [10, 10, 0]) {
    work(ms);
    await pace.rest();
  }
  const [first = 0, second = 0, third = 0] = counted;
  expect(second).toBeGreaterThanOrEqual(first + 10);
  expect(third).toBeLessThan(second);
});

test('a process that ends does not wait for the end of a rest', async () => {
  let looks = 0;
  const pace = openPace(
    () => {
      looks += 1;
      return looks > 2;
    },
    () => 3_600_000,
  );
  await pace.rest();
  expect(looks).toBe(3);
});
