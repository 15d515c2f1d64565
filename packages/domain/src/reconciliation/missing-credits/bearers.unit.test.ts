import { expect, test } from 'vitest';
import { type Decided, postedOf, returnedTo } from './bearers.ts';

const decided = (amount: string, by: Partial<Decided> = {}): Decided => ({
  amount,
  isOwn: true,
  writtenOff: '0.00',
  charged: '0.00',
  account: null,
  ...by,
});
const charged = (amount: string): Decided => decided(amount, { charged: amount });
const writtenOff = (amount: string): Decided => decided(amount, { writtenOff: amount });
const back = (before: readonly Decided[], amount: bigint) => returnedTo(before, amount);

test('what a line shows after all goes back to those who bear it, the last decision first', () => {
  const before = [charged('-10.00'), writtenOff('-20.00')];
  expect(back(before, 2_000n)).toEqual({ charged: 0n, writtenOff: 2_000n, posted: 0n });
  expect(back(before, 3_000n)).toEqual({ charged: 1_000n, writtenOff: 2_000n, posted: 0n });
  expect(back(before, 3_500n)).toEqual({ charged: 1_000n, writtenOff: 2_000n, posted: 500n });
});

test('what a line shows of a payment goes back to those who bear that one first', () => {
  const before = [charged('-10.00'), { ...writtenOff('-20.00'), isOwn: false }];
  expect(back(before, 1_000n)).toEqual({ charged: 1_000n, writtenOff: 0n, posted: 0n });
  expect(back(before, 1_500n)).toEqual({ charged: 1_000n, writtenOff: 500n, posted: 0n });
  const returned = { ...decided('10.00', { writtenOff: '10.00' }), isOwn: false };
  expect(back([writtenOff('-10.00'), ...before, returned], 4_000n)).toEqual({
    charged: 1_000n,
    writtenOff: 2_000n,
    posted: 1_000n,
  });
});

test('what was returned is not returned again', () => {
  const before = [charged('-10.00'), charged('-20.00'), decided('20.00', { charged: '20.00' })];
  expect(back(before, 2_000n)).toEqual({ charged: 1_000n, writtenOff: 0n, posted: 1_000n });
});

test('the fee of a charge that no wallet was credited comes back before the charge', () => {
  const before = [decided('-100.00', { charged: '-97.50', writtenOff: '-2.50' })];
  expect(back(before, 6_000n)).toEqual({ charged: 5_750n, writtenOff: 250n, posted: 0n });
});

test('what the ledger has less than a corrected line takes back what was booked too much', () => {
  expect(back([decided('10.00')], -1_000n)).toEqual({ charged: 0n, writtenOff: 0n, posted: -1_000n });
  expect(back([writtenOff('10.00')], -3_000n)).toEqual({ charged: 0n, writtenOff: -1_000n, posted: -2_000n });
  // A wallet that got money back does not pay it by that.
  expect(back([charged('10.00')], -1_000n)).toEqual({ charged: 0n, writtenOff: 0n, posted: -1_000n });
  expect(postedOf([decided('-30.00'), decided('20.00')])).toBe(-1_000n);
});
