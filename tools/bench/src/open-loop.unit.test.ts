import { expect, test } from 'vitest';
import { arrivalsOf, type Clock, measureArrivals } from './open-loop.ts';
import { percentileOf } from './percentile.ts';

test('arrivals are spread evenly over the time, at the given rate, with at least one arrival', () => {
  expect(arrivalsOf(4, 1)).toEqual([0, 250, 500, 750]);
  expect(arrivalsOf(3, 2)).toHaveLength(6);
  expect(arrivalsOf(0.5, 1)).toEqual([0]);
});

test.each([
  [[1, 2, 3, 4], 0.5, 2],
  [[1, 2, 3, 4], 0.99, 4],
  [[7], 0.999, 7],
  [Array.from({ length: 1000 }, (_, i) => i + 1), 0.99, 990],
  [Array.from({ length: 1000 }, (_, i) => i + 1), 0.999, 999],
  [[1, 2], 0, 1],
])('of %j the percentile %d is %d', (values, share, expected) => {
  expect(percentileOf(values, share)).toBe(expected);
});

test('the percentile of no values is not a number', () => {
  expect(percentileOf([], 0.5)).toBeNaN();
});

/** Time passes only where something waits for it. */
function clockOf(): Clock & { readonly at: number } {
  let at = 0;
  const sleeping: { until: number; wake: () => void }[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    for (;;) {
      // Lets the last caller that woke up run until it waits again.
      for (let i = 0; i < 20; i += 1) await Promise.resolve();
      const next = sleeping.toSorted((a, b) => a.until - b.until)[0];
      if (!next) break;
      sleeping.splice(sleeping.indexOf(next), 1);
      at = Math.max(at, next.until);
      next.wake();
    }
    isRunning = false;
  };
  return {
    get at() {
      return at;
    },
    now: () => at,
    wait: (ms) =>
      new Promise((wake) => {
        sleeping.push({ until: at + ms, wake });
        if (isRunning) return;
        isRunning = true;
        void run();
      }),
  };
}

test('requests arrive on time while earlier ones are not answered', async () => {
  const clock = clockOf();
  const sent: number[] = [];
  const ask = async (): Promise<void> => {
    sent.push(clock.at);
    await clock.wait(1_000);
  };
  const found = await measureArrivals(arrivalsOf(10, 0.5), 0, ask, undefined, clock);
  expect(sent).toEqual([0, 100, 200, 300, 400]);
  expect(found).toMatchObject({ medianMs: 1_000, p99Ms: 1_000, p999Ms: 1_000, answers: 5 });
});

test('the wait of every request that arrived during a stall of the server is counted', async () => {
  const clock = clockOf();
  // One request at a time, 10 ms each, but the first one takes a second.
  let free: Promise<void> = Promise.resolve();
  const ask = (arrival: number): Promise<void> => {
    free = free.then(() => clock.wait(arrival === 0 ? 1_000 : 10));
    return free;
  };
  const found = await measureArrivals(arrivalsOf(20, 2), 0, ask, undefined, clock);
  // In a closed loop with one caller, 39 of the 40 waits would be 10 ms, and the stall would be hidden.
  expect(found.medianMs).toBeGreaterThan(100);
  expect(found.p99Ms).toBe(1_000);
  expect(found.answers).toBe(40);
});

test('only requests that arrive after the warm-up are counted', async () => {
  const clock = clockOf();
  let countedAt = -1;
  const ask = (arrival: number): Promise<void> => clock.wait(arrival < 10 ? 500 : 20);
  const counting = (): void => {
    countedAt = clock.at;
  };
  const found = await measureArrivals(arrivalsOf(10, 2), 1_000, ask, counting, clock);
  expect(found).toMatchObject({ answers: 10, p999Ms: 20, perSecond: 10 });
  expect(countedAt).toBe(1_000);
});

test('the first failure ends the run', async () => {
  const clock = clockOf();
  let calls = 0;
  const ask = async (): Promise<void> => {
    calls += 1;
    await clock.wait(1);
    throw new Error('refused');
  };
  await expect(measureArrivals(arrivalsOf(10, 10), 0, ask, undefined, clock)).rejects.toThrow('refused');
  expect(calls).toBeLessThan(3);
});
