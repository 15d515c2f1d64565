import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeOrderNo } from '../../domain/src/core/order-number.ts';
import { canOwnOrder } from './index.ts';

const merchants = ['IN10001', 'PK10001', 'CN-1-0AF', 'TH10001', ...Array.from({ length: 50 }, (_, i) => `M${i}00`)];

test('a merchant can own its order numbers, and not those of others', () => {
  for (const merchant of merchants)
    for (const kind of ['payin', 'payout'] as const) {
      const orderNo = makeOrderNo(kind, merchant, 1_790_000_000_000, randomBytes(12));
      expect(merchants.filter((other) => canOwnOrder(other, orderNo))).toEqual([merchant]);
    }
});

const own = makeOrderNo('payin', 'IN10001', 1_790_000_000_000, randomBytes(12));
test.each([
  ['nothing', ''],
  ['another prefix', own.replace('PI', 'XX')],
  ['lower-case letters', own.toLowerCase()],
  ['too short', own.slice(0, -1)],
  ['too long', `${own}0`],
  ['a line break', `${own}\n`],
  ['a letter that is not used', own.replace(/.$/, 'U')],
])('a text is not an order number: %s', (_, orderNo) => {
  expect(canOwnOrder('IN10001', own)).toBe(true);
  expect(canOwnOrder('IN10001', orderNo)).toBe(false);
});
