import * as z from 'zod';
import type { Outcome } from '../../core/rejection.ts';
import {
  changeConfiguration,
  resendNotification as resend,
  resendNotifications as resendRange,
} from '../../ledger/index.ts';
import { pauseNotifications as pause } from '../../notifications/index.ts';
import { bookingNo, choice, choices, count, errorList, instant, merchantId, orderNo, text } from '../input-schemas.ts';
import { type OperationContext, onMerchant, onOrder } from '../operation.ts';

const roles = ['support', 'operator'] as const;
const requestKey = () =>
  bookingNo('Your own key for this request. Repeating a request with the same key sends nothing again.');
const statuses = ['partial_paid', 'completed', 'failed', 'timeout', 'cancelled'] as const;
const states = ['pending', 'delivered', 'exhausted'] as const;

export const resendNotification = onOrder({
  summary: "Send an order's notifications again, including delivered ones. Their retry schedule restarts.",
  roles,
  input: z.strictObject({
    orderNo: orderNo(),
    status: choice('Order status that the notification reports. Default: all statuses.', statuses).optional(),
    requestKey: requestKey(),
  }),
  versioned: 'notification, or without a status of the order,',
  execute: ({ domain, by }, { merchantId }, { orderNo, status = null, requestKey }) =>
    resend(domain, { merchantId, requestKey }, { orderNo, status }, by),
});

export const resendNotifications = onMerchant({
  summary: "Send a merchant's notifications of a time range again: at most 10,000 notifications and 31 days.",
  roles,
  input: z.strictObject({
    merchantId: merchantId(),
    from: instant('The order reached the status at or after this time.'),
    to: instant('The order reached the status before this time.'),
    states: choices('In any of these states now.', states),
    host: text('Sent to this name and port, e.g. "shop.example:443".').optional(),
    errors: errorList('Whose last attempt ended with any of these errors, e.g. "timeout".').optional(),
    attemptsFrom: count('With at least this number of attempts.', [0, 1_000_000]).optional(),
    attemptsTo: count('With at most this number of attempts.', [0, 1_000_000]).optional(),
    requestKey: requestKey(),
  }),
  subject: ({ requestKey }) => requestKey,
  execute: ({ domain, by }, { merchantId, requestKey, ...range }) =>
    resendRange(domain, { merchantId, requestKey }, range, by),
});

const named = z.strictObject({ merchantId: merchantId() });

export const pauseNotifications = onMerchant({
  summary: "Pause a merchant's notifications. They are stored and sent after you resume them.",
  roles,
  input: named,
  subject: ({ merchantId }) => merchantId,
  versioned: 'merchant',
  execute: (context, { merchantId }) => setPaused(context, merchantId, true),
});

export const resumeNotifications = onMerchant({
  summary: "Resume a merchant's notifications. Those stored during the pause are sent first.",
  roles,
  input: named,
  subject: ({ merchantId }) => merchantId,
  versioned: 'merchant',
  execute: (context, { merchantId }) => setPaused(context, merchantId, false),
});

async function setPaused(
  { domain, by }: OperationContext,
  merchantId: string,
  paused: boolean,
): Promise<Outcome<{ merchantId: string; paused: boolean }>> {
  const where = { tenant: merchantId, change: paused ? 'pauseNotifications' : 'resumeNotifications' };
  return changeConfiguration(domain, where, by, async (within) => {
    const changed = await pause(within, merchantId, paused);
    const states = { before: { paused: changed ? !paused : paused }, after: { paused } };
    return { ok: true, value: { subject: merchantId, ...states, value: { merchantId, paused } } };
  });
}
