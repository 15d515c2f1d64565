import { expect, onTestFinished, test } from 'vitest';
import { openRunningClock } from './running-clock.ts';

test('the running clock counts the time in which the process runs, and not the time in which it is stalled', () => {
  const clock = openRunningClock();
  onTestFinished(clock.close);
  const began = clock.now();
  while (clock.now() - began < 50);
  const before = clock.now();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  expect(clock.now() - before).toBeLessThan(100);
});
