import { expect, test } from 'vitest';
import { sharesOf } from './life.ts';

test('the cost of each order does not include what processes use without orders', () => {
  // A worker uses 30 ms in each second and 2 ms for each order. The last orders end two seconds after the last create.
  const sent = [20, 50, 100].map((perSecond) => {
    const [orders, seconds] = [perSecond * 10, 12];
    return { orders, seconds, cpuUs: { worker: (seconds * 30_000 + orders * 2_000) / orders, redis: 100 } };
  });
  const { perOrder, atRest } = sharesOf(sent);
  expect(perOrder.worker).toBeCloseTo(2_000);
  expect(atRest.worker).toBeCloseTo(30_000);
  expect(perOrder.redis).toBeCloseTo(100);
  expect(atRest.redis).toBeCloseTo(0);
});
