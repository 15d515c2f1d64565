import { expect, test } from 'vitest';
import { OutOfTime, withinBudget } from './within-budget.ts';

test('a function without an end is stopped, and the next function runs', () => {
  // Long enough for the finite work on a busy machine.
  const run = withinBudget(600);
  const endless = (): never => {
    for (;;);
  };
  expect(() => run(endless)).toThrow(OutOfTime);
  expect(run(() => ['done'])).toEqual(['done']);
});

test('an error of the function is thrown unchanged', () => {
  const fault = new TypeError('its own');
  const failing = (): never => {
    throw fault;
  };
  expect(() => withinBudget(1_000)(failing)).toThrow(fault);
});
