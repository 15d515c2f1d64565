import { type ChannelAccess, type ChannelRefund, callRefund } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { RefundRef } from '../core/commands.ts';
import type { Refund } from '../core/refund.ts';
import type { RefundAnswer } from '../core/refund-answer.ts';
import { callDeadline, workLease } from '../core/schedule.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { countries, currencyOf } from '../countries/index.ts';
import { claimInTime, type LedgerAccess, type LedgerReadAccess } from '../ledger/index.ts';
import { findOrderByNumber, type WorkOutcome } from '../orders/index.ts';

type Access = LedgerAccess & ChannelAccess & DirectoryAccess & Telemetry;

/**
 * Does the next step of a refund: sends it or queries it, and applies the answer. It is never sent a second time before
 * a query (ADR 0019).
 */
export async function workOnRefund(domain: Access, named: Omit<RefundRef, 'caseNo'>): Promise<WorkOutcome> {
  const refund = await findRefund(domain, named);
  if (!refund || refund.nextAction === null) return 'not_due';
  const { merchantId, refundNo, caseNo, attempt, nextAction: during } = refund;
  const ref = { merchantId, refundNo, caseNo };
  const claim = { type: 'claimRefund', ...ref, action: during, attempt, lease: workLease } as const;
  const claimed = await claimInTime(() => domain.commit(claim));
  if (!claimed.ok) return 'not_due';
  const request = await toChannelRefund(domain, refund);
  const answer = await (during === 'send'
    ? send(domain, refund, request)
    : call(domain, refund, request, 'query_refund'));
  await domain.commit({ type: 'applyRefund', ...ref, answer, during });
  return 'done';
}

/**
 * After an earlier call to send, a refusal only counts if the channel has no such refund. It may have accepted that
 * call.
 */
async function send(domain: Access, refund: Refund, request: ChannelRefund): Promise<RefundAnswer> {
  const answer = await call(domain, refund, request, 'refund');
  const isRefusal = answer.outcome === 'refused' || answer.outcome === 'failed';
  if (!isRefusal || refund.sends === 0) return answer;
  const found = await call(domain, refund, request, 'query_refund');
  return found.outcome === 'unknown' && found.why === 'not_found' ? answer : found;
}

function call(
  domain: Access,
  { merchantId, channelId }: Refund,
  refund: ChannelRefund,
  operation: 'refund' | 'query_refund',
): Promise<RefundAnswer> {
  return callRefund(domain, { merchantId, channelId, refund }, operation, AbortSignal.timeout(callDeadline));
}

async function findRefund(
  domain: LedgerReadAccess,
  { merchantId, refundNo }: Pick<RefundRef, 'merchantId' | 'refundNo'>,
): Promise<Refund | null> {
  const values = [[merchantId], [refundNo]];
  const { rows } = await domain.database.pool.query<Refund>({ ...domain.sql.refundsByNo, values });
  return rows[0] ?? null;
}

/** The refund as its channel needs it. Money without an order of ours is described by its case. */
async function toChannelRefund(domain: LedgerReadAccess & DirectoryAccess, refund: Refund): Promise<ChannelRefund> {
  const { orderNo, currency, refundNo, reference, amount, reason, channelId } = refund;
  const found = await findOrderByNumber(domain, orderNo);
  const order = found?.kind === 'payin' && found.currency === currency ? found : null;
  const channelRef = order?.channelId === channelId ? order.channelRef : null;
  return {
    kind: 'payin',
    orderNo,
    currency,
    refundNo,
    reference,
    reason,
    refundAmount: amount,
    country: order?.country ?? countries.find((one) => currencyOf[one] === currency) ?? '',
    amount: order?.amount ?? amount,
    createdAt: order?.createdAt ?? refund.createdAt,
    ...(channelRef !== null && channelRef !== undefined && { channelRef }),
  };
}
