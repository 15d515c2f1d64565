import * as z from 'zod';

// Schemas of Alipay's answers. Fields that decide about money are strict; other fields are ignored.

const text = z.string().min(1).max(256);
const tradeNo = z.string().regex(/^[0-9A-Za-z]{16,64}$/);

/** Every answer. `10000` is success; anything else has a `sub_code` or not. */
export const wireOutcome = z.object({
  code: z.string().regex(/^[0-9]{5}$/),
  sub_code: z.string().max(128).optional(),
  out_trade_no: z.string().optional(),
});

/** alipay.trade.precreate. https://docs.open.alipay.com/api_1/alipay.trade.precreate */
export const wirePrecreated = z.object({ out_trade_no: text, qr_code: z.url().max(1024) });

/** alipay.trade.close. https://docs.open.alipay.com/api_1/alipay.trade.close */
export const wireClosed = z.object({ out_trade_no: text });

/** alipay.trade.query. Fields as in alipay-sdk-java-all, AlipayTradeQueryResponse.java. */
export const wireTrade = z.object({
  out_trade_no: text,
  trade_no: tradeNo,
  trade_status: text,
  total_amount: text,
  receipt_amount: z.string().optional(),
  /** When the seller was paid. If it is there, the trade was paid, also if it is closed now. */
  send_pay_date: z.string().optional(),
  /** SELLER_NOT_RECEIVED: the buyer has paid, the seller has nothing. */
  additional_status: z.string().optional(),
  /** Credit payments, in which the buyer pays later. */
  credit_pay_mode: z.string().optional(),
  trans_currency: z.string().optional(),
  pay_currency: z.string().optional(),
  settle_currency: z.string().optional(),
});

/** alipay.trade.refund. `fund_change` is Y if this call moved money. */
export const wireRefund = z.object({
  out_trade_no: text,
  trade_no: tradeNo,
  fund_change: z.string().optional(),
});

/** alipay.trade.fastpay.refund.query. Without a status the refund did not arrive, failed, or is still under way. */
export const wireRefundQuery = z.object({
  out_trade_no: text.optional(),
  trade_no: tradeNo.optional(),
  out_request_no: text.optional(),
  refund_status: z.string().optional(),
  refund_amount: z.string().optional(),
});

/** A notification about a trade. https://opendocs.alipay.com/open/194/103296 */
export const wireNotification = z.object({
  notify_type: z.literal('trade_status_sync'),
  out_trade_no: text,
  trade_no: tradeNo,
  trade_status: text,
  total_amount: text,
  receipt_amount: z.string().optional(),
  gmt_payment: z.string().optional(),
  additional_status: z.string().optional(),
  credit_pay_mode: z.string().optional(),
  refund_fee: z.string().optional(),
  trans_currency: z.string().optional(),
  pay_currency: z.string().optional(),
  settle_currency: z.string().optional(),
});

/** alipay.data.dataservice.bill.downloadurl.query */
export const wireBillDownloadUrl = z.object({ bill_download_url: z.url({ protocol: /^https?$/ }).max(2_048) });

type Currencies = Pick<z.infer<typeof wireTrade>, 'trans_currency' | 'pay_currency' | 'settle_currency'>;

/** Whether every currency that a trade names is CNY. Its amounts count as yuan only then. */
export function isInYuan({ trans_currency, pay_currency, settle_currency }: Currencies): boolean {
  return [trans_currency, pay_currency, settle_currency].every((named) => named === undefined || named === 'CNY');
}
