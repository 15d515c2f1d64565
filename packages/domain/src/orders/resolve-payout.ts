import type { Decision } from '../core/operator.ts';
import type { Order, OrderRef } from '../core/order.ts';
import type { Result } from '../core/rejection.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { orderOf } from './order-of.ts';

/**
 * Resolves a stuck payout by evidence that two operators have seen (decisions 5.4): paid settles it, failed releases
 * the money. It does not fail while a worker sends it: not_due.
 */
export async function resolvePayout(
  domain: LedgerAccess,
  ref: OrderRef,
  resolution: { outcome: 'paid' | 'failed'; evidence: string },
  by: Decision,
): Promise<Result<Order>> {
  const resolved = await domain.commit({ type: 'resolvePayout', ref, ...resolution, by });
  if (resolved.ok) return { ok: true, value: await orderOf(domain, ref) };
  if (resolved.rejection !== 'not_due') return resolved;
  return { ...resolved, detail: 'it is being sent to its channel: decide again in half a minute' };
}
