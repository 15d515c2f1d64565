import { expect, test } from 'vitest';
import { allowedSteps } from './pace.ts';

const day = 24 * 60 * 60_000;

test.each([
  ['a short run is made in one go', 400, 0, Number.POSITIVE_INFINITY],
  ['a longer one takes two days', 401, day, 200.5],
  ['and is not held up after them', 401, 2 * day, Number.POSITIVE_INFINITY],
  ['a very long one takes 27 days', 108_000, 7 * day, 28_000],
  ['and no more, whatever is left', 100_000, 27 * day, Number.POSITIVE_INFINITY],
])('%s', (_, lastSteps, elapsed, steps) => {
  expect(allowedSteps(lastSteps, elapsed)).toBe(steps);
});

test('a day never has more than its part of a long run', () => {
  for (const lastSteps of [401, 5_000, 11_200, 1_000_000])
    for (let at = 0; at < 26; at += 1) {
      const part = allowedSteps(lastSteps, (at + 1) * day) - allowedSteps(lastSteps, at * day);
      if (Number.isFinite(part)) expect(part).toBeLessThanOrEqual(Math.max(400, lastSteps / 27) + 1);
    }
});
