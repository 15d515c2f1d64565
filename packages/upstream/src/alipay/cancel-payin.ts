import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { call, type Gateway, noAnswer, unanswered } from './gateway.ts';
import { needsQuery, tradeNotExist } from './mapping.ts';
import { queryTrade } from './query-payin.ts';
import { wireClosed } from './wire.ts';

/**
 * Closes an unpaid trade. Never `alipay.trade.cancel`: that one refunds a trade which was paid in between, although we
 * may have booked it.
 *
 * The close of an unscanned code answers that there is no trade, and the code is dead after it. A page link without a
 * trade lives on, because only its end revokes it: such an order is not closed.
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
    const isCode = gateway.account.product === 'qr';
    if (isCode && order.channelRef !== undefined) return { outcome: 'closed', channelRef: order.orderNo };
    return { outcome: 'unknown', why: 'not_found', detail: tradeNotExist };
  }
  return needsQuery(answer.subCode) ? queryTrade(gateway, order, signal) : unanswered(answer);
}
