import { expect, test } from 'vitest';
import { busyCores, carriedOrders, type MeasuredRate, neededCores, processes } from './formula.ts';

const at = (ordersPerSecond: number, factor: number): MeasuredRate => ({
  ordersPerSecond,
  ms: { 'rest-adapter': factor, worker: 2 * factor, postgres: 2.5 * factor, redis: 0.5 * factor },
});
const measured = [at(50, 3), at(100, 2), { ...at(200, 1), isOverloaded: true as const }];

test('the cores that a process keeps busy are its time per order times the rate', () => {
  expect(busyCores(at(50, 3), 'worker')).toBeCloseTo(0.3);
});

test('the cores to plan keep four tenths free, with the costs with and without overload', () => {
  const { least, most } = neededCores(measured, 'worker', 300);
  expect([least, most]).toEqual([expect.closeTo(1), expect.closeTo(2)]);
});

test('the orders that a number of cores carries need just these cores', () => {
  const { least, most } = carriedOrders(measured, 4);
  expect([least, most]).toEqual([expect.closeTo(200), expect.closeTo(400)]);
  expect(processes.reduce((sum, name) => sum + neededCores(measured, name, most).least, 0)).toBeCloseTo(4);
});

test('few cores carry what the cost at a low rate allows, because the cost at a high rate does not hold there', () => {
  const { least, most } = carriedOrders(measured, 1.6);
  expect([least, most]).toEqual([expect.closeTo(53.3, 1), expect.closeTo(53.3, 1)]);
});
