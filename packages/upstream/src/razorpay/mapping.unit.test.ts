import { expect, test } from 'vitest';
import {
  linkStates,
  meaningOf,
  meaningOfPayment,
  neverDebited,
  paymentStates,
  payoutStates,
  refundStates,
} from './mapping.ts';
import { wireLink } from './wire.ts';

const meanings = (table: Parameters<typeof meaningOf>[0]) =>
  Object.fromEntries(Object.keys(table).map((state) => [state, meaningOf(table, state)]));

test('the states of Razorpay have the meaning of its documentation', () => {
  expect(meanings(linkStates)).toEqual({
    created: 'open',
    partially_paid: 'part_paid',
    paid: 'paid',
    expired: 'expired',
    cancelled: 'cancelled',
  });
  expect(meanings(paymentStates)).toEqual({
    created: 'undecided',
    authorized: 'undecided',
    captured: 'money',
    refunded: 'money',
    failed: 'none',
  });
  expect(meanings(payoutStates)).toEqual({
    pending: 'open',
    scheduled: 'open',
    queued: 'cancellable',
    processing: 'open',
    processed: 'paid',
    reversed: 'reversed',
    rejected: 'not_paid',
    cancelled: 'not_paid',
    failed: 'failed',
  });
  expect(meanings(refundStates)).toEqual({ pending: 'accepted', processed: 'refunded', failed: 'failed' });
});

test.each(['', 'issued', 'PAID', 'toString', '__proto__', 'constructor'])('the state “%s” is unknown', (state) => {
  for (const table of [linkStates, paymentStates, payoutStates, refundStates, neverDebited])
    expect(meaningOf<unknown>(table, state)).toBeUndefined();
});

test.each([
  ['captured before, so it is', true, 'money'],
  ['never captured, so it is not, because Razorpay returned it itself', false, 'none'],
  ['perhaps captured, so it is undecided', undefined, 'undecided'],
])('whether a refunded payment is money: it was %s', (_, captured, means) => {
  expect(meaningOfPayment({ status: 'refunded', captured })).toBe(means);
});

test('a payment link with an unusable address is still read as paid', () => {
  const link = { id: 'plink_1', amount: 8_000, currency: 'INR', reference_id: 'PI1', status: 'paid' };
  expect(wireLink.parse({ ...link, short_url: 'rzp.io/i/1' })).toEqual({ ...link, short_url: null });
  expect(wireLink.safeParse({ ...link, amount: '8000' }).success).toBe(false);
});
