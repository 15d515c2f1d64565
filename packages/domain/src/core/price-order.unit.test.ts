import { expect, test } from 'vitest';
import type { NewOrder } from './commands.ts';
import type { FeeStep } from './fee.ts';
import { priceAt } from './price-order.ts';

const order = (kind: NewOrder['kind']) =>
  ({
    kind,
    amount: '100.00',
    currency: 'INR',
    feeTerms: { percent: '1', fixed: '0.00' },
    feeAmount: '1.00',
    netAmount: '99.00',
  }) as NewOrder;
const begin = 1_000;
const fees: FeeStep[] = [
  { from: Number.NEGATIVE_INFINITY, terms: { percent: '2', fixed: '0.00' } },
  { from: begin, terms: { percent: '3', fixed: '0.00' } },
  { from: begin + 10, terms: { percent: '100', fixed: '0.00' } },
];

test.each([
  ['payin', begin - 1, '2.00', '98.00'],
  ['payin', begin, '3.00', '97.00'],
  ['payout', begin - 1, '2.00', '102.00'],
  ['payout', begin + 10, '100.00', '200.00'],
] as const)('a %s created at %i costs %s, net %s', (kind, now, feeAmount, netAmount) => {
  expect(priceAt(order(kind), fees, now)).toMatchObject({ feeAmount, netAmount });
});

test('without fee rules an order has its own terms', () => {
  expect(priceAt(order('payin'), undefined, 0)).toMatchObject({ feeAmount: '1.00', netAmount: '99.00' });
});

test('a payin whose fee would leave nothing of it is refused, and an order before the first rule begins', () => {
  expect(priceAt(order('payin'), fees, begin + 10)).toBe('amount_out_of_range');
  expect(priceAt(order('payin'), fees.slice(1), begin - 1)).toBe('operation_not_available');
});

test.each([
  ['payout', '999999999999.99', 'a net amount'],
  ['payin', '999999999999.99', null],
] as const)('a %s over %s has too large %s', (kind, amount, problem) => {
  const priced = priceAt({ ...order(kind), amount }, fees, begin);
  if (problem === null) expect(priced).toMatchObject({ feeAmount: '30000000000.00', netAmount: '969999999999.99' });
  else expect(priced).toBe('amount_out_of_range');
});

test('a fixed fee that cannot be stored is out of range', () => {
  const huge = [{ from: Number.NEGATIVE_INFINITY, terms: { percent: '0', fixed: '1000000000000.00' } }];
  expect(priceAt(order('payout'), huge, begin)).toBe('amount_out_of_range');
});
