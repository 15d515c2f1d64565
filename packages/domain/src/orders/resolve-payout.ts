import type { Decision } from '../core/operator.ts';
import type { Order, OrderRef } from '../core/order.ts';
import type { Result } from '../core/rejection.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { orderOf } from './order-of.ts';

/**
 * Resolves a stuck payout by evidence that two operators have seen (decisions 5.4): paid settles it, failed releases
 * the money.
 */
export async function resolvePayout(
  domain: LedgerAccess,
  ref: OrderRef,
  resolution: { outcome: 'paid' | 'failed'; evidence: string },
  by: Decision,
): Promise<Result<Order>> {
  const resolved = await domain.commit({ type: 'resolvePayout', ref, ...resolution, by });
  return resolved.ok ? { ok: true, value: await orderOf(domain, ref) } : resolved;
}
