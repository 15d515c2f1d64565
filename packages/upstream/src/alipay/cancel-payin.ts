import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { call, type Gateway, noAnswer, unanswered } from './gateway.ts';
import { needsQuery, tradeNotExist } from './mapping.ts';
import { queryTrade } from './query-payin.ts';
import { wireClosed } from './wire.ts';

/**
 * Closes an unpaid trade. The service never calls `alipay.trade.cancel`: it would refund a trade that was paid in the
 * meantime, although the payment may be booked already.
 *
 * Before the payer scans the code there is no trade. Alipay then answers the close with `TRADE_NOT_EXIST`, and the code
 * can no longer be scanned. A page link is different: without a trade it can be paid until its own end. So the order
 * behind a page link is not closed.
 */
export async function cancelPayin(
  gateway: Gateway,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const request = { method: 'alipay.trade.close', content: { out_trade_no: order.orderNo } };
  const answer = await call(gateway, request, signal);
  if (answer.kind === 'none') return unanswered(answer);
  if (answer.kind === 'success') {
    const parsed = wireClosed.safeParse(answer.node);
    if (parsed.data?.out_trade_no !== order.orderNo) return noAnswer('the answer is about another order');
    return { outcome: 'closed', channelRef: order.orderNo };
  }
  if (answer.outTradeNo !== undefined && answer.outTradeNo !== order.orderNo) {
    return noAnswer('the answer is about another order');
  }
  if (answer.subCode === tradeNotExist) {
    // An order has a `channelRef` only if Alipay accepted its create, or knew its trade. Without one, the create may
    // still be under way and make a code after this close.
    const isCode = gateway.account.product === 'qr';
    if (isCode && order.channelRef !== undefined) return { outcome: 'closed', channelRef: order.orderNo };
    return { outcome: 'unknown', why: 'not_found', detail: tradeNotExist };
  }
  return needsQuery(answer.subCode) ? queryTrade(gateway, order, signal) : unanswered(answer);
}
