import type { Country, PayoutCountry } from '../country.ts';
import type { PayinTypes, PayoutTypes } from '../interface.generated.ts';
import type { EveryField } from '../orders.ts';

type AnyNotification = PayinTypes[Country]['notification'] | PayoutTypes[PayoutCountry]['notification'];

/** A notification about an order (contract "Events"). It may arrive several times, and not in the order of events. */
export type Notification = EveryField<AnyNotification, AnyNotification>;

const TEXTS = ['orderNo', 'merchantOrderNo', 'status', 'amount', 'feeAmount', 'netAmount'] as const;

/** Reads a notification from a verified body. Null for any other content that the service may have signed. */
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
