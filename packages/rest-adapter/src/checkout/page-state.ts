import { createHash } from 'node:crypto';
import type { CheckoutState, CheckoutView, OrderStatus } from '@tidegate/domain';

const states: Record<OrderStatus, CheckoutState> = {
  created: 'waiting',
  market_available: 'waiting',
  processing: 'waiting',
  partial_paid: 'part_paid',
  completed: 'paid',
  failed: 'failed',
  timeout: 'expired',
  cancelled: 'cancelled',
};

/**
 * `now` in Unix milliseconds. After the expiry no payment is requested any more, even if the order has not ended yet.
 */
export function stateOf(view: CheckoutView, now: number): CheckoutState {
  const state = states[view.status];
  if (state === 'expired' && view.paidAmount !== '0.00') return 'expired_part_paid';
  if (state !== 'waiting' && state !== 'part_paid') return state;
  if (view.expiresAt !== null && view.expiresAt <= now) return 'late';
  if (view.payLink !== null || view.payQr !== null) return state;
  return state === 'waiting' ? 'preparing' : 'part_paid_no_way';
}

/** Whether the state can still change. */
export function isOpen(state: CheckoutState): boolean {
  return state === 'preparing' || state === 'late' || isPayable(state);
}

export function isPayable(state: CheckoutState): boolean {
  return state === 'waiting' || isPartPaid(state);
}

/** Whether a part was paid and the rest can still be paid. */
export function isPartPaid(state: CheckoutState): boolean {
  return state === 'part_paid' || state === 'part_paid_no_way';
}

/** A text that changes whenever the page changes, and reveals nothing about the order. */
export function markOf(view: CheckoutView, now: number): string {
  const seen = JSON.stringify([stateOf(view, now), view]);
  return createHash('sha256').update(seen).digest('base64url').slice(0, 16);
}
