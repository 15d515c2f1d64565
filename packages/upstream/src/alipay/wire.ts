import { boundedText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';

// Schemas of Alipay's answers. Fields that decide about money are strict; other fields are ignored.

const text = boundedText(256).min(1);
const tradeNo = boundedText(64).regex(/^[0-9A-Za-z]{16,64}$/);

/** Every answer. `10000` is success; anything else has a `sub_code` or not. */
export const wireOutcome = z.object({
  code: boundedText(5).regex(/^[0-9]{5}$/),
  sub_code: boundedText(128).optional(),
  out_trade_no: boundedText(4_096).optional(),
});

/** alipay.trade.precreate. https://docs.open.alipay.com/api_1/alipay.trade.precreate */
export const wirePrecreated = z.object({ out_trade_no: text, qr_code: boundedText(1_024).pipe(z.url()) });

/** alipay.trade.close. https://docs.open.alipay.com/api_1/alipay.trade.close */
export const wireClosed = z.object({ out_trade_no: text });

/** alipay.trade.query. Fields as in alipay-sdk-java-all, AlipayTradeQueryResponse.java. */
export const wireTrade = z.object({
  out_trade_no: text,
  trade_no: tradeNo,
  trade_status: text,
  total_amount: text,
  receipt_amount: boundedText(4_096).optional(),
  /** When the seller was paid. If it is there, the trade was paid, also if it is closed now. */
  send_pay_date: boundedText(4_096).optional(),
  /** SELLER_NOT_RECEIVED: the buyer has paid, the seller has nothing. */
  additional_status: boundedText(4_096).optional(),
  /** Credit payments, in which the buyer pays later. */
  credit_pay_mode: boundedText(4_096).optional(),
  trans_currency: boundedText(4_096).optional(),
  pay_currency: boundedText(4_096).optional(),
  settle_currency: boundedText(4_096).optional(),
});

/** alipay.trade.refund. `fund_change` is Y if this call moved money. */
export const wireRefund = z.object({
  out_trade_no: text,
  trade_no: tradeNo,
  fund_change: boundedText(4_096).optional(),
});

/** alipay.trade.fastpay.refund.query. Without a status the refund did not arrive, failed, or is still under way. */
export const wireRefundQuery = z.object({
  out_trade_no: text.optional(),
  trade_no: tradeNo.optional(),
  out_request_no: text.optional(),
  refund_status: boundedText(4_096).optional(),
  refund_amount: boundedText(4_096).optional(),
});

/** A notification about a trade. https://opendocs.alipay.com/open/194/103296 */
export const wireNotification = z.object({
  notify_type: z.literal('trade_status_sync'),
  out_trade_no: text,
  trade_no: tradeNo,
  trade_status: text,
  total_amount: text,
  receipt_amount: boundedText(4_096).optional(),
  gmt_payment: boundedText(4_096).optional(),
  additional_status: boundedText(4_096).optional(),
  credit_pay_mode: boundedText(4_096).optional(),
  refund_fee: boundedText(4_096).optional(),
  trans_currency: boundedText(4_096).optional(),
  pay_currency: boundedText(4_096).optional(),
  settle_currency: boundedText(4_096).optional(),
});

/** alipay.data.dataservice.bill.downloadurl.query */
export const wireBillDownloadUrl = z.object({
  bill_download_url: boundedText(2_048).pipe(z.url({ protocol: /^https?$/ })),
});

type Currencies = Pick<z.infer<typeof wireTrade>, 'trans_currency' | 'pay_currency' | 'settle_currency'>;

/** Whether every currency that a trade names is CNY. Its amounts count as yuan only then. */
export function isInYuan({ trans_currency, pay_currency, settle_currency }: Currencies): boolean {
  return [trans_currency, pay_currency, settle_currency].every((named) => named === undefined || named === 'CNY');
}
