import { fateOf, toCents } from '../../fake-provider/index.ts';
import { inChina } from './notify.ts';
import type { Trade, Trades } from './trades.ts';

/** The content of an answer: a success, or a code of the business. */
export type Answer = Record<string, unknown> & { code: string };

type Content = Record<string, unknown>;
export interface Caller {
  notifyUrl: string;
  sellerId: string;
  /** Unix milliseconds. */
  now: number;
  /** The end of a page link, in Unix milliseconds. */
  expiresAt?: number;
}

export type Method = (content: Content, caller: Caller, trades: Trades) => Answer;

const success = (fields: Content): Answer => ({ code: '10000', msg: 'Success', ...fields });
const failure = (subCode: string, subMsg: string, fields: Content = {}): Answer => ({
  code: '40004',
  msg: 'Business Failed',
  sub_code: subCode,
  sub_msg: subMsg,
  ...fields,
});
const invalid = (field: string) => failure('ACQ.INVALID_PARAMETER', `参数无效:${field}`);
const notExist = (outTradeNo: unknown) =>
  failure('ACQ.TRADE_NOT_EXIST', '交易不存在', { out_trade_no: outTradeNo, receipt_amount: '0.00' });

/** A hundred million yuan. */
const maxCents = 10_000_000_000;

/** The methods of the gateway, as https://docs.open.alipay.com/api_1/ describes them. */
export const methods: Record<string, Method> = {
  'alipay.trade.precreate': precreate,
  'alipay.trade.query': query,
  'alipay.trade.close': close,
  'alipay.trade.refund': refund,
  'alipay.trade.fastpay.refund.query': queryRefund,
};

/** The trade of an order, made if there is none; or why not. */
export function findOrAdd(
  content: Content,
  { notifyUrl, sellerId, now: _, ...end }: Caller,
  trades: Trades,
): Trade | Answer {
  const { out_trade_no: number, total_amount: amount, subject, seller_id: seller } = content;
  const timeouts = [content.timeout_express, content.qr_code_timeout_express];
  if (typeof number !== 'string' || !/^[A-Za-z0-9_]{1,64}$/.test(number)) return invalid('out_trade_no');
  if (typeof amount !== 'string' || !/^(0|[1-9][0-9]{0,8})(\.[0-9]{1,2})?$/.test(amount))
    return invalid('total_amount');
  if (toCents(amount) < 1 || toCents(amount) > maxCents) return invalid('total_amount');
  if (typeof subject !== 'string' || !/^[^/=&]{1,256}$/.test(subject)) return invalid('subject');
  for (const timeout of timeouts)
    if (timeout !== undefined && !/^([1-9][0-9]*[mhd]|1c)$/.test(String(timeout))) return invalid('timeout_express');
  if (seller !== undefined && seller !== sellerId) return failure('ACQ.PARTNER_ERROR', '应用APP_ID填写错误');
  if (fateOf(amount) === 'refused') return failure('ACQ.TOTAL_FEE_EXCEED', '订单总金额不在允许范围内');
  const known = trades.get(number);
  if (!known) return trades.add({ outTradeNo: number, amount, subject, notifyUrl, ...end });
  if (known.amount !== amount || known.subject !== subject)
    return failure('ACQ.CONTEXT_INCONSISTENT', '交易信息被篡改');
  if (known.paidAt !== null) return failure('ACQ.TRADE_HAS_SUCCESS', '交易已被支付');
  if (known.state === 'TRADE_CLOSED' || known.isDead) return failure('ACQ.TRADE_HAS_CLOSE', '交易已经关闭');
  return known;
}

function precreate(content: Content, caller: Caller, trades: Trades): Answer {
  const found = findOrAdd(content, caller, trades);
  return 'code' in found ? found : success({ out_trade_no: found.outTradeNo, qr_code: found.qrCode });
}

/** A trade exists from its scan on. */
function tradeOf(content: Content, trades: Trades): Trade | undefined {
  const { out_trade_no: number, trade_no: tradeNo } = content;
  const isAsked = (trade: Trade) => (tradeNo === undefined ? trade.outTradeNo === number : trade.tradeNo === tradeNo);
  return trades.all().find((trade) => trade.state !== 'code' && isAsked(trade));
}

function query(content: Content, _caller: Caller, trades: Trades): Answer {
  const trade = tradeOf(content, trades);
  if (!trade) return notExist(content.out_trade_no);
  return success({
    buyer_logon_id: '159****5620',
    buyer_pay_amount: trade.received ?? '0.00',
    out_trade_no: trade.outTradeNo,
    point_amount: '0.00',
    receipt_amount: trade.received ?? '0.00',
    ...(trade.paidAt !== null && { send_pay_date: inChina(trade.paidAt) }),
    total_amount: trade.amount,
    trade_no: trade.tradeNo,
    trade_status: trade.state,
  });
}

function close(content: Content, _caller: Caller, trades: Trades): Answer {
  const number = String(content.out_trade_no);
  const trade = trades.get(number);
  if (trade?.state === 'code') {
    // The hostile case: a late payer's code survives its close.
    if (fateOf(trade.amount) !== 'paid_late') trades.change(trade, { isDead: true });
    return notExist(number);
  }
  if (!trade) return notExist(number);
  if (trade.state !== 'WAIT_BUYER_PAY') return failure('ACQ.TRADE_STATUS_ERROR', '交易状态不合法');
  trades.change(trade, { state: 'TRADE_CLOSED' });
  return success({ out_trade_no: trade.outTradeNo, trade_no: trade.tradeNo });
}

function refund(content: Content, { now }: Caller, trades: Trades): Answer {
  const trade = tradeOf(content, trades);
  const { refund_amount: amount, out_request_no: requestNo } = content;
  if (!trade) return notExist(content.out_trade_no);
  if (typeof amount !== 'string' || !/^[0-9]{1,9}(\.[0-9]{1,2})?$/.test(amount)) return invalid('refund_amount');
  if (typeof requestNo !== 'string' || !/^.{1,64}$/.test(requestNo)) return invalid('out_request_no');
  const answer = (fundChange: string) =>
    success({
      out_trade_no: trade.outTradeNo,
      trade_no: trade.tradeNo,
      fund_change: fundChange,
      buyer_logon_id: '159****5620',
      refund_fee: amount,
    });
  const earlier = trade.refunds.find((one) => one.requestNo === requestNo);
  if (earlier && earlier.amount !== amount) return failure('ACQ.DISCORDANT_REPEAT_REQUEST', '请求信息不一致');
  if (earlier) return answer('N');
  if (trade.state !== 'TRADE_SUCCESS') return failure('ACQ.TRADE_STATUS_ERROR', '交易状态不合法');
  const refunded = trade.refunds.reduce((sum, one) => sum + toCents(one.amount), 0);
  if (refunded + toCents(amount) > toCents(trade.amount))
    return failure('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', '退款金额超限');
  const refunds = [...trade.refunds, { requestNo, amount, at: now }];
  const isAll = refunded + toCents(amount) === toCents(trade.amount);
  trades.change(trade, { refunds, ...(isAll && { state: 'TRADE_CLOSED' }) });
  return answer('Y');
}

function queryRefund(content: Content, _caller: Caller, trades: Trades): Answer {
  const trade = tradeOf(content, trades);
  if (!trade) return notExist(content.out_trade_no);
  const found = trade.refunds.find(({ requestNo }) => requestNo === content.out_request_no);
  if (!found) return success({});
  return success({
    out_trade_no: trade.outTradeNo,
    trade_no: trade.tradeNo,
    out_request_no: found.requestNo,
    refund_status: 'REFUND_SUCCESS',
    refund_amount: found.amount,
    total_amount: trade.amount,
  });
}
