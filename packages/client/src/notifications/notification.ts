import type { PayinStatus, PayoutStatus } from '../orders.ts';

interface AnyNotification {
  /** The service's number: `PI…` or `PO…`. */
  orderNo: string;
  merchantOrderNo: string;
  /** Text with two decimals. */
  amount: string;
  feeAmount: string;
  netAmount: string;
  /** China, payin only. */
  currency?: string;
  countryCode?: string;
  /** Thailand, payin only. */
  failureReason?: string;
  /** Unix seconds; only of a completed order. */
  completedAt?: number;
}

/** What the service says of an order (contract "Events"). The same may come several times, and late ones out of order. */
export type Notification =
  | ({ orderType: 'payin'; status: PayinStatus } & AnyNotification)
  | ({ orderType: 'payout'; status: PayoutStatus } & AnyNotification);

const TEXTS = ['orderNo', 'merchantOrderNo', 'status', 'amount', 'feeAmount', 'netAmount'] as const;

/** The notification in a body whose signature has been verified; null for anything else that the service may have signed. */
export function readNotification(body: Uint8Array): Notification | null {
  const value: unknown = JSON.parse(new TextDecoder().decode(body));
  return isNotification(value) ? value : null;
}

function isNotification(value: unknown): value is Notification {
  if (typeof value !== 'object' || value === null || !('orderType' in value)) return false;
  const fields: Partial<Record<string, unknown>> = value;
  const isOrder = value.orderType === 'payin' || value.orderType === 'payout';
  return isOrder && TEXTS.every((name) => typeof fields[name] === 'string');
}
