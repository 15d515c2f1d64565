import { createHash } from 'node:crypto';
import type { CheckoutView, OrderStatus } from '@tidegate/domain';

/** How a payment stands for its payer. */
export type Stage = 'preparing' | 'waiting' | 'part_paid' | 'late' | 'paid' | 'failed' | 'expired' | 'cancelled';

const stages: Record<OrderStatus, Stage> = {
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
export function stageOf(view: CheckoutView, now: number): Stage {
  const stage = stages[view.status];
  if (stage !== 'waiting' && stage !== 'part_paid') return stage;
  if (view.expiresAt !== null && view.expiresAt <= now) return 'late';
  return stage === 'waiting' && view.payLink === null && view.payQr === null ? 'preparing' : stage;
}

/** Whether more may still happen to it. */
export function isOpen(stage: Stage): boolean {
  return stage === 'preparing' || stage === 'late' || isPayable(stage);
}

export function isPayable(stage: Stage): boolean {
  return stage === 'waiting' || stage === 'part_paid';
}

/** Differs whenever a page would show something else than before, and tells nothing by itself. */
export function markOf(view: CheckoutView, now: number): string {
  const seen = JSON.stringify([stageOf(view, now), view]);
  return createHash('sha256').update(seen).digest('base64url').slice(0, 16);
}
