import type { Country, Currency } from './country.ts';
import type { FeeTerms } from './fee.ts';

export type OrderKind = 'payin' | 'payout';

export const orderStatuses = [
  'created',
  'market_available',
  'processing',
  'partial_paid',
  'completed',
  'failed',
  'timeout',
  'cancelled',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** How an order is carried: by a channel's API, by the task market, or by an operator who confirms incoming funds. */
export type OrderMode = 'upstream' | 'market' | 'manual';

/** What an order waits for the worker to do. */
export type NextAction = 'submit' | 'poll' | 'expire';

/** An order as it stands. Amounts are decimal text with two decimals, times are Unix milliseconds of the database's clock. */
export interface Order {
  readonly merchantId: string;
  readonly orderNo: string;
  readonly merchantOrderNo: string;
  readonly kind: OrderKind;
  readonly country: Country;
  readonly currency: Currency;
  readonly mode: OrderMode;
  readonly status: OrderStatus;
  readonly amount: string;
  readonly feeAmount: string;
  readonly netAmount: string;
  /** What came in for the order so far and counts for it; suspense not included. */
  readonly paidAmount: string;
  readonly feeTerms: FeeTerms;
  readonly bankCode: string | null;
  readonly channelId: string;
  /** The channel's own code for the bank. */
  readonly channelBankCode: string | null;
  /** Set once the channel took the order. */
  readonly channelRef: string | null;
  readonly payLink: string | null;
  readonly payQr: string | null;
  /** Where this order's notifications go: its own address, or the merchant's default where the country allows; null: nowhere. */
  readonly notifyUrl: string | null;
  /** Payer or payee, remark and the merchant's own objects, as they came. Personal data. */
  readonly details: OrderDetails;
  /** Of a market payout that somebody has claimed. */
  readonly task: MarketTask | null;
  readonly failureReason: string | null;
  /** What contradicted its end, once a case was opened about that. */
  readonly contradiction: string | null;
  readonly nextAction: NextAction | null;
  readonly nextActionAt: number | null;
  /** How often the next action was tried. */
  readonly attempt: number;
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly completedAt: number | null;
  /** The span in which it was put in the ledger, as W3C traceparent; null where nothing is traced. */
  readonly traceparent: string | null;
  /** Of the last command that keeps its id here: tried again, it finds its own effect. */
  readonly commandId: string | null;
  /** The link of the merchant's ledger chain that covers its creation; null: written before there was one. */
  readonly batchNo: number | null;
}

export interface OrderDetails {
  party?: { name?: string; account?: string; mobile?: string; email?: string; idNo?: string; ifsc?: string };
  returnUrl?: string;
  remark?: string;
  /** The merchant's own object (`metadata` or `extJson`), kept as it came. */
  extra?: { [key: string]: unknown };
}

/** A claimed task of the market, and the proof of payment once there is one. */
export interface MarketTask {
  readonly claimedBy: string;
  readonly proof: { reference: string; payer: string; note: string | null; at: number } | null;
}

export interface OrderRef {
  readonly merchantId: string;
  readonly orderNo: string;
}

const terminal: readonly OrderStatus[] = ['completed', 'failed', 'timeout', 'cancelled'];

export function isTerminal(status: OrderStatus): boolean {
  return terminal.includes(status);
}
