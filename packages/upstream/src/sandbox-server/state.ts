import { z } from 'zod';
import type { WireOrder, WirePayment } from '../sandbox/wire.ts';
import { fromCents, toCents } from './cents.ts';
import { type ReportRule, type Step, scenarioOf } from './scenarios.ts';

/** What a hand (a cancel, or the sandbox's controls) did to an order. From then on its script is at an end. */
export const handEvent = z.object({
  atMs: z.int(),
  becomes: z.enum(['closed', 'failed', 'timed_out', 'paid', 'part_paid']),
  /** Set when money came with it. */
  pays: z.exactOptional(z.string()),
  reason: z.exactOptional(z.string()),
});

/** What is kept of an order. Who pays or is paid is not: only a fingerprint of what was asked. */
export const storedOrder = z.object({
  orderNo: z.string(),
  kind: z.enum(['payin', 'payout']),
  country: z.string(),
  currency: z.string(),
  amount: z.string(),
  bankCode: z.exactOptional(z.string()),
  callbackUrl: z.string(),
  fingerprint: z.string(),
  upstreamId: z.string(),
  takenAtMs: z.int(),
});

export type HandEvent = z.infer<typeof handEvent>;
export type StoredOrder = z.infer<typeof storedOrder> & { hands: readonly HandEvent[] };

/** How an order stands. */
export interface Standing {
  status: WireOrder['status'];
  payments: readonly WirePayment[];
  returned?: WirePayment;
  reason: string;
}

export interface Happening {
  id: string;
  atMs: number;
  report: ReportRule;
  standing: Standing;
}

export const PENDING: Standing = { status: 'pending', payments: [], reason: '' };

/**
 * All that happens to an order, in order, what is still to come included. A pure function of what is stored, so that
 * an order lives on while the server is down. `timeFactor` stretches the script's waits.
 */
export function historyOf(order: StoredOrder, timeFactor: number): Happening[] {
  const { steps, report } = scenarioOf(order);
  const scriptEndsAtMs = order.hands[0]?.atMs ?? Number.POSITIVE_INFINITY;
  let standing = PENDING;
  const happenings: Happening[] = [];
  for (const [index, step] of steps.entries()) {
    const atMs = order.takenAtMs + Math.round(step.afterSeconds * 1000 * timeFactor);
    if (atMs > scriptEndsAtMs) break;
    standing = take(order, standing, { ...step, pays: shareOf(order, standing, step.pays) });
    happenings.push({ id: `step${index + 1}`, atMs, report, standing });
  }
  for (const [index, hand] of order.hands.entries()) {
    standing = take(order, standing, hand);
    happenings.push({ id: `hand${index + 1}`, atMs: hand.atMs, report: 'callback', standing });
  }
  return happenings;
}

/** How the order stands at a time. */
export function standingAt(order: StoredOrder, nowMs: number, timeFactor: number): Standing {
  return historyOf(order, timeFactor).findLast(({ atMs }) => atMs <= nowMs)?.standing ?? PENDING;
}

/** What came in so far. */
export function paidCents(standing: Standing): bigint {
  return standing.payments.reduce((sum, { amount }) => sum + toCents(amount), 0n);
}

interface Change {
  becomes: Standing['status'];
  pays?: string | undefined;
  reason?: string | undefined;
}

/** The order after a change. References are numbered per order, so each stays the same for ever. */
function take(order: StoredOrder, before: Standing, { becomes, pays, reason = '' }: Change): Standing {
  const number = before.payments.length + 1;
  const payments =
    pays === undefined
      ? before.payments
      : [...before.payments, { reference: `${order.upstreamId}-${number}`, amount: pays }];
  if (becomes !== 'returned') return { status: becomes, payments, reason };
  return { status: becomes, payments, reason, returned: { reference: `${order.upstreamId}-R1`, amount: order.amount } };
}

function shareOf(order: StoredOrder, standing: Standing, share: Step['pays']): string | undefined {
  const whole = toCents(order.amount);
  switch (share) {
    case undefined:
      return undefined;
    case 'whole':
      return order.amount;
    case 'half':
      return fromCents(whole / 2n);
    case 'rest':
      return fromCents(whole - paidCents(standing));
    case 'one_less':
      return fromCents(whole > 100n ? whole - 100n : 1n);
    default:
      return share satisfies never;
  }
}
