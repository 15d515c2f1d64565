import type { OrderRef, OrderStatus } from '../core/order.ts';
import type { Within } from '../ledger/index.ts';
import { type ResendRequest, type ResendResult, requestResend } from './request-resend.ts';

/**
 * Sends an order's notification again, a delivered one too: of the status that is named, or of all that it had (decisions 7.5). The body stays the
 * one of then; the schedule begins anew. Rejections: notification_not_found, request_key_taken.
 */
export async function resendNotification(
  within: Within,
  request: ResendRequest,
  { orderNo, status }: { orderNo: OrderRef['orderNo']; status: OrderStatus | null },
): Promise<ResendResult> {
  return requestResend(
    within,
    request,
    { orderNo, status },
    { filter: 'n.order_no = $6 and n.status = coalesce($7, n.status)', values: [orderNo, status] },
  );
}
