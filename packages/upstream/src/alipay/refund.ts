import type { ChannelRefund, RefundAnswer } from '@tidegate/domain/channels';
import { readStored, storedText } from '../provider/stored.ts';
import { readYuan } from './amounts.ts';
import { call, type Gateway, unanswered } from './gateway.ts';
import { businessFailed, refundErrorOf } from './mapping.ts';
import { wireRefund, wireRefundQuery } from './wire.ts';

/**
 * How long after an error a query proves that nothing was refunded. Alipay asks for 10 s. A call of the same number that
 * was sent at the same time takes 30 s at most.
 */
const settledAfterMs = 60_000;

/**
 * Refunds a payment or a part of it. `out_request_no` is the idempotency key: Alipay moves the money of one number
 * once. Only `fund_change` Y means that money moved; after any other answer the refund is queried. A number that was
 * refused once is never sent again.
 */
export async function refundPayin(gateway: Gateway, refund: ChannelRefund, signal: AbortSignal): Promise<RefundAnswer> {
  const { orderNo, reference, refundNo, refundAmount, reason } = refund;
  if ((await gateway.memory.read(refusalKey(refundNo))) !== null) return queryRefund(gateway, refund, signal);
  const request = {
    method: 'alipay.trade.refund',
    content: {
      out_trade_no: orderNo,
      trade_no: reference,
      out_request_no: refundNo,
      refund_amount: refundAmount,
      refund_reason: reason.slice(0, 100).toWellFormed() || '退款',
    },
  };
  const answer = await call(gateway, request, signal);
  if (answer.kind === 'none') return unknown(unanswered(answer).detail);
  if (answer.kind === 'success') {
    const parsed = wireRefund.safeParse(answer.node);
    if (!parsed.success || parsed.data.out_trade_no !== orderNo || parsed.data.trade_no !== reference) {
      return unknown('the answer is about another trade');
    }
    if (parsed.data.fund_change === 'Y') return { outcome: 'refunded', refundRef: refundNo };
    return queryRefund(gateway, refund, signal);
  }
  if (refundErrorOf(answer.code, answer.subCode))
    await gateway.memory.remember(refusalKey(refundNo), `${Date.now()} ${answer.subCode}`);
  // An earlier call of the same number may have worked, so an error alone proves nothing.
  const queried = await queryRefund(gateway, refund, signal);
  return queried.outcome === 'unknown' ? unknown(unanswered(answer).detail) : queried;
}

/** When it was refused, in Unix milliseconds, and why. */
const refusal = storedText.regex(/^[0-9]{13} [A-Z0-9._]+$/);
const refusalKey = (refundNo: string) => `refund refused ${refundNo}`;

/** The error that refused a refund, if a query without a refund proves it; otherwise not found. */
async function notFound(gateway: Gateway, refundNo: string): Promise<RefundAnswer> {
  const known = await readStored(gateway.memory, refusalKey(refundNo), refusal);
  // It was refused, nobody knows why: it is not sent again, and only operators end it.
  if (known.kind === 'unreadable') return unknown('the stored refusal is unreadable');
  const [at, subCode = ''] = known.kind === 'value' ? known.value.split(' ') : [];
  const row = refundErrorOf(businessFailed, subCode);
  if (row && Date.now() - Number(at) >= settledAfterMs)
    return { outcome: 'refused', reason: `${subCode}: ${row.reason}` };
  // Alipay moves the money of one number once.
  return { outcome: 'unknown', why: 'not_found', maySendAgain: true, detail: 'Alipay has no refund of this number' };
}

/**
 * Queries a refund. Without a status it did not arrive, failed or is under way, so the answer is `not_found`, never
 * `failed`. It is `refused` if Alipay refused it long enough ago.
 */
export async function queryRefund(gateway: Gateway, refund: ChannelRefund, signal: AbortSignal): Promise<RefundAnswer> {
  const { orderNo, reference, refundNo, refundAmount } = refund;
  const content = { out_trade_no: orderNo, trade_no: reference, out_request_no: refundNo };
  const answer = await call(gateway, { method: 'alipay.trade.fastpay.refund.query', content }, signal);
  if (answer.kind !== 'success') return unknown(unanswered(answer).detail);
  const parsed = wireRefundQuery.safeParse(answer.node);
  if (!parsed.success) return unknown('the answer is no refund');
  const { refund_status: status, out_request_no: number, trade_no: trade, refund_amount: amount } = parsed.data;
  if (status === undefined) return notFound(gateway, refundNo);
  if (status !== 'REFUND_SUCCESS') return unknown('the refund has an unknown status');
  if (number !== refundNo || trade !== reference) return unknown('the answer is about another refund');
  if (amount === undefined || readYuan(amount) !== refundAmount) return unknown('the refund has another amount');
  return { outcome: 'refunded', refundRef: refundNo };
}

function unknown(detail: string): RefundAnswer {
  return { outcome: 'unknown', why: 'no_answer', detail };
}
