import { createHash } from 'node:crypto';
import type { CheckoutStage, CheckoutView, OrderStatus } from '@tidegate/domain';

const stages: Record<OrderStatus, CheckoutStage> = {
  created: 'waiting',
  market_available: 'waiting',
  processing: 'waiting',
  partial_paid: 'part_paid',
  completed: 'paid',
  failed: 'failed',
  timeout: 'expired',
  cancelled: 'cancelled',
};

/** `now` in Unix milliseconds. After the time is over nobody is asked to pay any more, though the order may not have ended yet. */
export function stageOf(view: CheckoutView, now: number): CheckoutStage {
  const stage = stages[view.status];
  if (stage === 'expired' && view.paidAmount !== '0.00') return 'expired_part_paid';
  if (stage !== 'waiting' && stage !== 'part_paid') return stage;
  if (view.expiresAt !== null && view.expiresAt <= now) return 'late';
  if (view.payLink !== null || view.payQr !== null) return stage;
  return stage === 'waiting' ? 'preparing' : 'part_paid_no_way';
}

/** Whether more may still happen to it. */
export function isOpen(stage: CheckoutStage): boolean {
  return stage === 'preparing' || stage === 'late' || isPayable(stage);
}

export function isPayable(stage: CheckoutStage): boolean {
  return stage === 'waiting' || isPartPaid(stage);
}

/** Whether a part came and the rest may still be paid. */
export function isPartPaid(stage: CheckoutStage): boolean {
  return stage === 'part_paid' || stage === 'part_paid_no_way';
}

/** Differs whenever a page would show something else than before, and tells nothing by itself. */
export function markOf(view: CheckoutView, now: number): string {
  const seen = JSON.stringify([stageOf(view, now), view]);
  return createHash('sha256').update(seen).digest('base64url').slice(0, 16);
}
