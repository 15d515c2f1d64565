import { createHash } from 'node:crypto';
import { type AskingState, type CheckoutView, isTerminal, type PayerState, payerStateOf } from '@tidegate/domain';

/** `now` in Unix milliseconds. */
export function stateOf(view: CheckoutView, now: number): PayerState {
  return payerStateOf(view, view.money, now);
}

const asking: ReadonlySet<PayerState> = new Set<AskingState>([
  'received_less',
  'received_all',
  'received_more',
  'paid_more',
  'sent_back',
]);

/** Whether money arrived that is not simply credited: the payer is told where it is, and whom to ask. */
export function isAsking(state: PayerState): state is AskingState {
  return asking.has(state);
}

/** Whether the page may still change by itself. */
export function isOpen(view: CheckoutView, state: PayerState): boolean {
  return !isTerminal(view.status) || (isAsking(state) && view.money.held !== '0.00');
}

/** Whether the payer is asked to pay. */
export function isPayable(state: PayerState): boolean {
  return state === 'waiting' || isPartPaid(state);
}

/** Whether a part was paid and the rest can still be paid. */
export function isPartPaid(state: PayerState): boolean {
  return state === 'part_paid' || state === 'part_paid_no_way';
}

/** A text that changes whenever the page changes, and reveals nothing about the order. */
export function markOf(view: CheckoutView, now: number): string {
  const seen = JSON.stringify([stateOf(view, now), view]);
  return createHash('sha256').update(seen).digest('base64url').slice(0, 16);
}
