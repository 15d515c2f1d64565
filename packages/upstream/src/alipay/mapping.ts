import type { ChannelAnswer } from '@tidegate/domain/channels';
import { isPositive, readYuan, smallerYuan } from './amounts.ts';
import { type GatewayAnswer, noAnswer } from './gateway.ts';

// The states and codes of Alipay, and their meaning for the service. A state or code that is not in a table is unknown.

/** The gateway accepted the call, and the business behind it refused it. */
export const businessFailed = '40004';

const docs = 'https://docs.open.alipay.com/api_1/';
const sdk = 'alipay/alipay-sdk-java-all AlipayTradeQueryResponse.java, trade_status';

type Meaning = 'open' | 'paid' | 'closed';

/**
 * `trade_status`. TRADE_CLOSED means a time-out, a close by us, or a full refund. The time of the payment shows which.
 */
const tradeStatuses: Record<string, { means: Meaning; source: string }> = {
  WAIT_BUYER_PAY: { means: 'open', source: sdk },
  TRADE_SUCCESS: { means: 'paid', source: sdk },
  TRADE_FINISHED: { means: 'paid', source: `${sdk}: paid, and can no longer be refunded` },
  TRADE_CLOSED: { means: 'closed', source: `${sdk}: timed out unpaid, or refunded in full` },
};

/** `sub_code` of a precreate with code 40004. `exists`: the trade was created before, so its state is queried. */
const precreateErrors: Record<string, { means: 'refused' | 'exists'; reason: string; source: string }> = {
  'ACQ.INVALID_PARAMETER': refused('a field is not valid for Alipay'),
  'ACQ.TOTAL_FEE_EXCEED': refused('the amount is outside of what Alipay allows'),
  'ACQ.EXIST_FORBIDDEN_WORD': refused('the order title has a forbidden word'),
  'ACQ.PARTNER_ERROR': refused('the application is not set up for this product'),
  'ACQ.ACCESS_FORBIDDEN': refused('the application may not use this product'),
  'ACQ.SELLER_BEEN_BLOCKED': refused('the seller account is blocked'),
  'ACQ.TRADE_HAS_SUCCESS': exists('already paid'),
  'ACQ.TRADE_HAS_CLOSE': exists('already closed'),
  'ACQ.CONTEXT_INCONSISTENT': exists('the number was used with other content'),
};

function refused(reason: string) {
  return { means: 'refused', reason, source: `${docs}alipay.trade.precreate` } as const;
}

function exists(reason: string) {
  return { means: 'exists', reason, source: `${docs}alipay.trade.precreate` } as const;
}

/** The row of an error of a precreate. Undefined: the error proves nothing. */
export function precreateErrorOf(code: string, subCode: string) {
  return code === businessFailed && Object.hasOwn(precreateErrors, subCode) ? precreateErrors[subCode] : undefined;
}

/** The trade is not in the state that a close needs, so its state is queried. */
const closeNeedsQuery: Record<string, { source: string }> = {
  'ACQ.TRADE_STATUS_ERROR': { source: `${docs}alipay.trade.close` },
  'ACQ.REASON_TRADE_STATUS_INVALID': { source: 'http://zhifubao.apifox.cn/api-126371943' },
  'ACQ.REASON_ILLEGAL_STATUS': { source: 'http://zhifubao.apifox.cn/api-126371943' },
};

/** Temporary faults of Alipay: the same call can be sent again. AQC is Alipay's own spelling. */
const passing: Record<string, { source: string }> = {
  'ACQ.SYSTEM_ERROR': { source: `${docs}alipay.trade.precreate` },
  'AQC.SYSTEM_ERROR': { source: 'https://www.apifox.cn/apidoc/docs-site/3618910/api-126370346' },
};

/** Code 20000: the service is not available. https://open.alitrip.com/docs/doc.htm?articleId=105806 */
export function isPassing(answer: GatewayAnswer): boolean {
  return answer.kind === 'error' && (answer.code === '20000' || Object.hasOwn(passing, answer.subCode));
}

/** Whether the error of a close says that the trade exists in another state. */
export function needsQuery(subCode: string): boolean {
  return Object.hasOwn(closeNeedsQuery, subCode);
}

/** There is no trade. With an order code the payer's scan creates it, so the order may still be paid. */
export const tradeNotExist = 'ACQ.TRADE_NOT_EXIST';

/** `sub_code` of a refund with code 40004 after which nothing was refunded. A later query confirms it. */
const refundErrors: Record<string, { reason: string; source: string }> = {
  'ACQ.SELLER_BALANCE_NOT_ENOUGH': refundError('the balance at Alipay is too low'),
  'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL': refundError('more than what is left of the payment'),
  'ACQ.REASON_TRADE_BEEN_FREEZEN': refundError('the trade is frozen'),
  'ACQ.TRADE_HAS_FINISHED': refundError('the time for refunds has passed'),
  'ACQ.TRADE_STATUS_ERROR': refundError('the trade cannot be refunded in its state'),
  'ACQ.TRADE_NOT_ALLOW_REFUND': refundError('the trade cannot be refunded'),
  'ACQ.REASON_TRADE_REFUND_FEE_ERR': refundError('the amount is not valid'),
  'ACQ.INVALID_PARAMETER': refundError('a field is not valid for Alipay'),
};

/** The row of an error of a refund. Undefined: the error proves nothing. */
export function refundErrorOf(code: string, subCode: string) {
  return code === businessFailed && Object.hasOwn(refundErrors, subCode) ? refundErrors[subCode] : undefined;
}

function refundError(reason: string) {
  return { reason, source: `${docs}alipay.trade.refund` };
}

/** What a query and a notification both say about a trade. */
export interface TradeFacts {
  orderNo: string;
  tradeNo: string;
  status: string;
  totalAmount: string;
  receiptAmount?: string | undefined;
  /** The trade was paid, also if it is closed now. */
  wasPaid: boolean;
}

/** Null: the status is unknown. */
export function answerOfTrade(trade: TradeFacts): ChannelAnswer | null {
  const channelRef = trade.orderNo;
  const means = Object.hasOwn(tradeStatuses, trade.status) ? tradeStatuses[trade.status]?.means : undefined;
  switch (means) {
    case 'open':
      return { outcome: 'accepted', channelRef };
    case 'paid': {
      const amount = receivedOf(trade);
      if (amount === null) return noAnswer('paid, with an amount that cannot be read');
      return { outcome: 'paid', channelRef, payments: [{ reference: trade.tradeNo, amount }] };
    }
    case 'closed':
      if (trade.wasPaid) return { outcome: 'failed', channelRef, reason: 'paid, and refunded in full at Alipay' };
      return { outcome: 'closed', channelRef };
    case undefined:
      return null;
    default:
      return means satisfies never;
  }
}

/**
 * The amount that the seller received. It is less than the total if a discount of the seller paid a part. Page payments
 * have 0.00 there, which means nothing.
 */
function receivedOf({ totalAmount, receiptAmount }: TradeFacts): string | null {
  const total = readYuan(totalAmount);
  const received = receiptAmount === undefined ? null : readYuan(receiptAmount);
  if (total === null || !isPositive(total)) return null;
  return received !== null && isPositive(received) ? smallerYuan(received, total) : total;
}
