import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { readYuan } from './amounts.ts';
import { call, type Gateway, noAnswer, unanswered } from './gateway.ts';
import { answerOfTrade, tradeNotExist } from './mapping.ts';
import { isInYuan, wireTrade } from './wire.ts';

/**
 * Queries a payin. Alipay has no trade until the payer scans the QR code. So an order without a trade is still open if
 * it was accepted, which means that it has a reference.
 */
export async function queryPayin(
  gateway: Gateway,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const answer = await queryTrade(gateway, order, signal);
  const isUnscanned = answer.outcome === 'unknown' && answer.why === 'not_found' && order.channelRef !== undefined;
  return isUnscanned ? { outcome: 'accepted', channelRef: order.orderNo } : answer;
}

/** Queries the trade of an order. The answer is `not_found` if Alipay has none. */
export async function queryTrade(
  gateway: Gateway,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const request = { method: 'alipay.trade.query', content: { out_trade_no: order.orderNo } };
  const answer = await call(gateway, request, signal);
  if (answer.kind === 'success') return readTrade(answer.node, order);
  if (answer.kind !== 'error' || answer.subCode !== tradeNotExist) return unanswered(answer);
  if (answer.outTradeNo !== undefined && answer.outTradeNo !== order.orderNo) return aboutAnother;
  return { outcome: 'unknown', why: 'not_found', detail: tradeNotExist };
}

function readTrade(node: unknown, order: ChannelOrderRef): ChannelAnswer {
  const parsed = wireTrade.safeParse(node);
  if (!parsed.success) return noAnswer('the answer is no trade');
  const trade = parsed.data;
  if (trade.out_trade_no !== order.orderNo) return aboutAnother;
  if (!isInYuan(trade)) return noAnswer('the trade is in another currency');
  if (trade.additional_status !== undefined || trade.credit_pay_mode !== undefined) {
    return noAnswer('the buyer’s money has not arrived: look at the trade at Alipay');
  }
  const answer = answerOfTrade({
    orderNo: order.orderNo,
    tradeNo: trade.trade_no,
    status: trade.trade_status,
    totalAmount: trade.total_amount,
    receiptAmount: trade.receipt_amount,
    wasPaid: trade.send_pay_date !== undefined,
  });
  if (answer === null) return noAnswer('the trade has an unknown status');
  const isOther = answer.outcome !== 'paid' && readYuan(trade.total_amount) !== order.amount;
  return isOther ? noAnswer('the trade is for another amount') : answer;
}

const aboutAnother = noAnswer('the answer is about another order');
