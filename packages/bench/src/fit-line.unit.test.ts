import { expect, test } from 'vitest';
import { fitLine } from './fit-line.ts';

test('points on a line give back its slope and its value at zero', () => {
  const { slope, atZero } = fitLine([20, 50, 100].map((x) => ({ x, y: 2.5 * x + 30 })));
  expect(slope).toBeCloseTo(2.5);
  expect(atZero).toBeCloseTo(30);
});

test('one point off the line does not pull the line through it', () => {
  const { slope, atZero } = fitLine([
    { x: 0, y: 0 },
    { x: 1, y: 3 },
    { x: 2, y: 0 },
  ]);
  expect([slope, atZero]).toEqual([0, 1]);
});

test('points at one place are refused, because they give no slope', () => {
  expect(() => fitLine([])).toThrow('two different places');
  expect(() => fitLine([1, 2].map((y) => ({ x: 20, y })))).toThrow('two different places');
});
