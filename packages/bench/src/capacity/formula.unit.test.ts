import { expect, test } from 'vitest';
import { busyCores, carriedOrders, type MeasuredRate, neededCores, processes } from './formula.ts';

const at = (ordersPerSecond: number, factor: number): MeasuredRate => ({
  ordersPerSecond,
  ms: { 'rest-adapter': factor, worker: 2 * factor, postgres: 2.5 * factor, redis: 0.5 * factor },
});
const measured = [at(50, 3), at(200, 1)];

test('the cores that a process keeps busy are its time per order times the rate', () => {
  expect(busyCores(at(50, 3), 'worker')).toBeCloseTo(0.3);
});

test('the cores to plan follow from the highest measured rate, and keep four tenths free', () => {
  expect(neededCores(measured, 'worker', 300)).toBeCloseTo(1);
});

test('the orders that a number of cores carries need just these cores', () => {
  const rate = carriedOrders(measured, 2);
  expect(rate).toBeCloseTo(200);
  expect(processes.reduce((sum, name) => sum + neededCores(measured, name, rate), 0)).toBeCloseTo(2);
});
