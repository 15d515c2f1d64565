import { expect, test } from 'vitest';
import { periodOf } from './schedules.ts';

test.each([
  ['dispatch', 1, 500],
  ['dispatch', 0.6, 300],
  // Each run costs processor time, also if nothing is due.
  ['dispatch', 0.01, 200],
  ['fetch', 1, 10_000],
  ['fetch', 0.5, 5_000],
  ['fetch', 0.01, 1_000],
  ['export', 0.01, 1_000],
  // A slow schedule does not slow these down: it is for waits of orders.
  ['audit', 10, 5_000],
] as const)('%s at the scale %d runs every %d ms', (name, scale, ms) => {
  expect(periodOf(name, scale)).toBe(ms);
});
