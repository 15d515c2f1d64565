import * as z from 'zod';
import type { Outcome } from '../../core/rejection.ts';
import {
  changeConfiguration,
  resendNotification as resend,
  resendNotifications as resendRange,
} from '../../ledger/index.ts';
import { pauseNotifications as pause } from '../../notifications/index.ts';
import { bookingNo, choice, choices, instant, merchantId, orderNo } from '../input-schemas.ts';
import { type Acting, onMerchant, onOrder } from '../operation.ts';

const roles = ['support', 'operator'] as const;
const requestKey = () => bookingNo('A key of yours for this request: the same again sends nothing twice.');
const statuses = ['partial_paid', 'completed', 'failed', 'timeout', 'cancelled'] as const;
const states = ['pending', 'delivered', 'exhausted'] as const;

export const resendNotification = onOrder({
  summary: "Send an order's notification again, a delivered one too; its schedule begins anew.",
  roles,
  input: z.strictObject({
    orderNo: orderNo(),
    status: choice('The status that it told of; left out: all that it had.', statuses).optional(),
    requestKey: requestKey(),
  }),
  execute: ({ domain, by }, { merchantId }, { orderNo, status = null, requestKey }) =>
    resend(domain, { merchantId, requestKey }, { orderNo, status }, by),
});

export const resendNotifications = onMerchant({
  summary: "Send all of a merchant's notifications of a time range again, at most 10,000 of at most 31 days.",
  roles,
  input: z.strictObject({
    merchantId: merchantId(),
    from: instant('Those whose status was reached from then on,'),
    to: instant('and before then.'),
    states: choices('Those that are in one of these states now.', states),
    requestKey: requestKey(),
  }),
  subject: ({ requestKey }) => requestKey,
  execute: ({ domain, by }, { merchantId, requestKey, ...range }) =>
    resendRange(domain, { merchantId, requestKey }, range, by),
});

const named = z.strictObject({ merchantId: merchantId() });

export const pauseNotifications = onMerchant({
  summary: "Keep a merchant's notifications back; they are kept, and sent once it is over.",
  roles,
  input: named,
  subject: ({ merchantId }) => merchantId,
  execute: (acting, { merchantId }) => setPaused(acting, merchantId, true),
});

export const resumeNotifications = onMerchant({
  summary: "Let a merchant's notifications go again, those that were kept back first.",
  roles,
  input: named,
  subject: ({ merchantId }) => merchantId,
  execute: (acting, { merchantId }) => setPaused(acting, merchantId, false),
});

async function setPaused(
  { domain, by }: Acting,
  merchantId: string,
  paused: boolean,
): Promise<Outcome<{ merchantId: string; paused: boolean }>> {
  const where = { tenant: merchantId, change: paused ? 'pauseNotifications' : 'resumeNotifications' };
  return changeConfiguration(domain, where, by, async (within) => {
    const changed = await pause(within, merchantId, paused);
    const told = { before: { paused: changed ? !paused : paused }, after: { paused } };
    return { ok: true, value: { subject: merchantId, ...told, value: { merchantId, paused } } };
  });
}
