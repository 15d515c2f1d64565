import type { MeasuredRate } from './formula.ts';

// `npm run bench -- --only "life, pay" --warm-up 40 --seconds 15` on 2026-11-26, on two cores that did nothing else. One round.

export const payins: readonly MeasuredRate[] = [
  { ordersPerSecond: 50, ms: { 'rest-adapter': 5.0, worker: 5.9, postgres: 7.6, redis: 1.8 } },
  { ordersPerSecond: 100, ms: { 'rest-adapter': 4.0, worker: 4.7, postgres: 6.3, redis: 1.4 } },
  { ordersPerSecond: 200, ms: { 'rest-adapter': 2.2, worker: 2.6, postgres: 3.9, redis: 0.9 }, isOverloaded: true },
];

export const payouts: readonly MeasuredRate[] = [
  { ordersPerSecond: 50, ms: { 'rest-adapter': 4.9, worker: 5.9, postgres: 8.9, redis: 1.8 } },
  { ordersPerSecond: 100, ms: { 'rest-adapter': 3.8, worker: 4.2, postgres: 7.2, redis: 1.3 } },
  { ordersPerSecond: 200, ms: { 'rest-adapter': 2.1, worker: 2.6, postgres: 3.9, redis: 0.9 }, isOverloaded: true },
];
