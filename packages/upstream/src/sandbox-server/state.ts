import { boundedText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import { fromCents, toCents } from '../fake-provider/cents.ts';
import type { WireOrder, WirePayment } from '../sandbox/wire.ts';
import { type ReportRule, type Step, scenarioOf } from './scenarios.ts';

/** A cancel, or an action of the sandbox's controls. It ends the scenario of the order. */
export const manualEvent = z.object({
  atMs: z.int(),
  becomes: z.enum(['closed', 'failed', 'timed_out', 'paid', 'part_paid']),
  /** The amount, if money was paid. */
  pays: z.exactOptional(boundedText(4_096)),
  reason: z.exactOptional(boundedText(4_096)),
});

/** The stored part of an order: without personal data, but with a fingerprint of the request. */
export const storedOrder = z.object({
  orderNo: boundedText(4_096),
  kind: z.enum(['payin', 'payout']),
  country: boundedText(4_096),
  currency: boundedText(4_096),
  amount: boundedText(4_096),
  bankCode: z.exactOptional(boundedText(4_096)),
  callbackUrl: boundedText(4_096),
  fingerprint: boundedText(4_096),
  upstreamId: boundedText(4_096),
  takenAtMs: z.int(),
});

export type ManualEvent = z.infer<typeof manualEvent>;
export type StoredOrder = z.infer<typeof storedOrder> & { manualEvents: readonly ManualEvent[] };

export interface OrderState {
  status: WireOrder['status'];
  payments: readonly WirePayment[];
  returned?: WirePayment;
  reason: string;
}

export interface OrderEvent {
  id: string;
  atMs: number;
  report: ReportRule;
  state: OrderState;
}

export const PENDING: OrderState = { status: 'pending', payments: [], reason: '' };

/**
 * All events of an order, past and future. A pure function of the stored order, so that an order continues while the
 * server is down. `timeFactor` scales the waits of the scenario.
 */
export function historyOf(order: StoredOrder, timeFactor: number): OrderEvent[] {
  const { steps, report } = scenarioOf(order);
  const scriptEndsAtMs = order.manualEvents[0]?.atMs ?? Number.POSITIVE_INFINITY;
  let state = PENDING;
  const events: OrderEvent[] = [];
  for (const [index, step] of steps.entries()) {
    const atMs = order.takenAtMs + Math.round(step.afterSeconds * 1000 * timeFactor);
    if (atMs > scriptEndsAtMs) break;
    state = applyChange(order, state, { ...step, pays: shareOf(order, state, step.pays) });
    events.push({ id: `step${index + 1}`, atMs, report, state });
  }
  for (const [index, manual] of order.manualEvents.entries()) {
    state = applyChange(order, state, manual);
    events.push({ id: `hand${index + 1}`, atMs: manual.atMs, report: 'callback', state });
  }
  return events;
}

/** The state of an order at a time. */
export function stateAt(order: StoredOrder, nowMs: number, timeFactor: number): OrderState {
  return historyOf(order, timeFactor).findLast(({ atMs }) => atMs <= nowMs)?.state ?? PENDING;
}

/** The amount received so far. */
export function paidCents(state: OrderState): number {
  return state.payments.reduce((sum, { amount }) => sum + toCents(amount), 0);
}

interface Change {
  becomes: OrderState['status'];
  pays?: string | undefined;
  reason?: string | undefined;
}

/** The state after a change. References are numbered per order, so they never change. */
function applyChange(order: StoredOrder, before: OrderState, { becomes, pays, reason = '' }: Change): OrderState {
  const number = before.payments.length + 1;
  const payments =
    pays === undefined
      ? before.payments
      : [...before.payments, { reference: `${order.upstreamId}-${number}`, amount: pays }];
  if (becomes !== 'returned') return { status: becomes, payments, reason };
  return { status: becomes, payments, reason, returned: { reference: `${order.upstreamId}-R1`, amount: order.amount } };
}

function shareOf(order: StoredOrder, state: OrderState, share: Step['pays']): string | undefined {
  const whole = toCents(order.amount);
  switch (share) {
    case undefined:
      return undefined;
    case 'whole':
      return order.amount;
    case 'half':
      return fromCents(Math.floor(whole / 2));
    case 'rest':
      return fromCents(whole - paidCents(state));
    case 'one_less':
      return fromCents(whole > 100 ? whole - 100 : 1);
    default:
      return share satisfies never;
  }
}
