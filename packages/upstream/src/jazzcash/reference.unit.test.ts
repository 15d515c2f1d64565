import { expect, test } from 'vitest';
import { isSameReference, orderNoOf, referenceOf } from './reference.ts';

const orderNo = 'PI1M82A29W0ABCD0123456789AB';

test.each([
  orderNo,
  'PI1JGFJJZ000000000000000000',
  'PI1JGFJJZ00ZZZZZZZZZZZZZZZZ',
  'PI1M82A29W0ABCD0123456789AC',
  'PI23EZP8S00ABCD0123456789AB',
])('the order number %s has a reference of 20 letters and digits, from which it can be computed back', (number) => {
  const reference = referenceOf(number) ?? '';
  expect(reference).toMatch(/^[0-9A-Za-z]{20}$/);
  expect(orderNoOf(reference)).toBe(number);
});

test('the reference of an order never changes', () => {
  expect(referenceOf(orderNo)).toMatchInlineSnapshot(`"6LjuQrPXwR86zF3b6KfD"`);
});

test.each([
  ['a payout', 'PO1M82A29W0ABCD0123456789AB'],
  ['another format', 'PI123'],
  ['a letter that the alphabet lacks', 'PI1M82A29W0ABCD0123456789AU'],
  ['a time before 2025', 'PI1JGFJJYZZ0000000000000000'],
  ['a time after 2043', 'PI23YRC5N00ABCD0123456789AB'],
])('an order number with %s has no reference', (_what, number) => {
  expect(referenceOf(number)).toBeNull();
});

test.each(['', 'T20251124131402', 'zzzzzzzzzzzzzzzzzzzzz', '0000000000000000000-'])(
  '%j is no reference of the service',
  (text) => {
    expect(orderNoOf(text)).toBeNull();
  },
);

test('references are compared without regard to upper and lower case', () => {
  expect(isSameReference('aB1', 'Ab1')).toBe(true);
  expect(isSameReference('aB1', 'aB2')).toBe(false);
});
