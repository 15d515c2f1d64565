import type { NotificationState } from '../core/notification.ts';
import type { Within } from '../ledger/index.ts';
import { type ResendRequest, type ResendResult, requestResend } from './request-resend.ts';

/** Notifications whose status was reached from `from` on and before `to`, in Unix ms, and that are in one of these states now. */
export interface ResendRange {
  from: number;
  to: number;
  states: readonly NotificationState[];
}

/** The longest range of one request. */
const longestResendRange = 31 * 24 * 60 * 60_000;

/**
 * Sends all of a merchant's notifications of a time range again, as `resendNotification` does one: all of them, or where there are more than
 * 10,000 none. Rejections: notification_not_found, too_many_notifications, request_key_taken; time_range_wrong where it is empty or longer than 31 days.
 */
export async function resendNotifications(
  within: Within,
  request: ResendRequest,
  { from, to, states }: ResendRange,
): Promise<ResendResult | { ok: false; rejection: 'time_range_wrong' }> {
  if (to <= from || to - from > longestResendRange) return { ok: false, rejection: 'time_range_wrong' };
  const asked = { from, to, states: [...states].sort() };
  // The body's condition is what the index by time asks for.
  const filter =
    "n.created_at >= to_timestamp($6::float8 / 1000) and n.created_at < to_timestamp($7::float8 / 1000) and n.state = any($8::text[]) and n.body <> ''";
  return requestResend(within, request, asked, { filter, values: [from, to, asked.states] });
}
