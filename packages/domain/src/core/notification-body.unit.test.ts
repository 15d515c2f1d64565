import { expect, test } from 'vitest';
import { anOrder, noon } from '../testing/on-paper.ts';
import { failureReasonOf, type NotificationRule, notificationBody } from './notification.ts';
import { type Order, orderStatuses } from './order.ts';
import type { Trigger } from './transitions.ts';

const rule = (...extraFields: NotificationRule['extraFields'][number][]): NotificationRule => ({
  statuses: [],
  extraFields,
});
const bodyOf = (order: Order, by = rule()): unknown => JSON.parse(notificationBody(order, by));

test('completedAt is in the body of completed orders only, in whole seconds', () => {
  // Given an order that has a time of completion, in whatever status.
  for (const status of orderStatuses) {
    const order = anOrder('TH', { status, completedAt: noon + 1_999 });
    // Then only its completion carries the time.
    const expected = status === 'completed' ? { completedAt: noon / 1_000 + 1 } : {};
    expect(bodyOf(order), status).toEqual({ ...fieldsOf(order), ...expected });
  }
});

test('an order without a stored time of completion has no completedAt', () => {
  const order = anOrder('TH', { status: 'completed', completedAt: null });
  expect(bodyOf(order)).toEqual(fieldsOf(order));
});

test('a country adds its own fields', () => {
  const order = anOrder('CN', { status: 'failed', failureReason: 'payment failed' });
  expect(bodyOf(order)).toEqual(fieldsOf(order));
  expect(bodyOf(order, rule('currency'))).toEqual({ ...fieldsOf(order), currency: 'CNY' });
  expect(bodyOf(order, rule('countryCode'))).toEqual({ ...fieldsOf(order), countryCode: 'CN' });
  expect(bodyOf(order, rule('failureReason'))).toEqual({ ...fieldsOf(order), failureReason: 'payment failed' });
  // Without a reason there is no such field, not even an empty one.
  expect(bodyOf(anOrder('CN', { status: 'failed' }), rule('failureReason'))).toEqual(fieldsOf(order));
});

/** What every body has. */
function fieldsOf({ status }: Order): object {
  return {
    orderType: 'payin',
    orderNo: 'PI000000001',
    merchantOrderNo: 'M-1',
    status,
    amount: '100.00',
    feeAmount: '2.50',
    netAmount: '97.50',
  };
}

test.each<[Trigger, string | null]>([
  ['channel_refused', 'rejected by the payment channel'],
  ['channel_failed', 'payment failed'],
  ['channel_unanswered', 'the payment channel did not answer in time'],
  ['unpaid', 'not paid in time'],
  ['operator_cancelled', null],
  ['paid', null],
])('an order that ended by %s has the reason: %s', (trigger, reason) => {
  expect(failureReasonOf(trigger)).toBe(reason);
});
