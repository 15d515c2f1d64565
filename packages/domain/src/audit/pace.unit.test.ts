import { expect, test } from 'vitest';
import { allowedSteps } from './pace.ts';

const day = 24 * 60 * 60_000;

test.each([
  ['a short run may do all steps at once', 400, 0, Number.POSITIVE_INFINITY],
  ['a longer run takes two days', 401, day, 200.5],
  ['a longer run may do all remaining steps after two days', 401, 2 * day, Number.POSITIVE_INFINITY],
  ['a very long run takes 27 days', 108_000, 7 * day, 28_000],
  ['a very long run may do all remaining steps after 27 days', 100_000, 27 * day, Number.POSITIVE_INFINITY],
])('the speed of a whole run: %s', (_, lastSteps, elapsed, steps) => {
  expect(allowedSteps(lastSteps, elapsed)).toBe(steps);
});

test('a long run never does more than its daily part on one day', () => {
  for (const lastSteps of [401, 5_000, 11_200, 1_000_000])
    for (let at = 0; at < 26; at += 1) {
      const part = allowedSteps(lastSteps, (at + 1) * day) - allowedSteps(lastSteps, at * day);
      if (Number.isFinite(part)) expect(part).toBeLessThanOrEqual(Math.max(400, lastSteps / 27) + 1);
    }
});
