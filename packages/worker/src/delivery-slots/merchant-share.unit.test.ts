import { expect, test } from 'vitest';
import { openMerchantShare } from './merchant-share.ts';

test.each([
  [1, 8],
  [128, 8],
  [512, 32],
])('of %i jobs one merchant may use %i, and another merchant as many', (concurrency, limit) => {
  const share = openMerchantShare(concurrency);
  const held = Array.from({ length: limit }, () => share.take('M1'));
  expect(held.every((giveBack) => giveBack !== null)).toBe(true);
  expect(share.take('M1')).toBeNull();
  expect(share.take('M2')).not.toBeNull();
  held[0]?.();
  expect(share.take('M1')).not.toBeNull();
  expect(share.take('M1')).toBeNull();
  for (const giveBack of held.slice(1)) giveBack?.();
  expect(share.take('M1')).not.toBeNull();
});
