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
  merchantId: string;
  orderNo: string;
  merchantOrderNo: string;
  kind: OrderKind;
  country: Country;
  currency: Currency;
  mode: OrderMode;
  status: OrderStatus;
  amount: string;
  feeAmount: string;
  netAmount: string;
  /** What came in for the order so far and counts for it; suspense not included. */
  paidAmount: string;
  feeTerms: FeeTerms;
  bankCode: string | null;
  channelId: string;
  /** The channel's own code for the bank. */
  channelBankCode: string | null;
  /** Set once the channel took the order. */
  channelRef: string | null;
  payLink: string | null;
  payQr: string | null;
  /** Where this order's notifications go: its own address, or the merchant's default where the country allows; null: nowhere. */
  notifyUrl: string | null;
  /** Payer or payee, remark and the merchant's own objects, as they came. Personal data. */
  details: OrderDetails;
  /** Of a market payout that somebody has claimed. */
  task: MarketTask | null;
  failureReason: string | null;
  /** What contradicted its end, once a case was opened about that. */
  contradiction: string | null;
  nextAction: NextAction | null;
  nextActionAt: number | null;
  /** How often the next action was tried. */
  attempt: number;
  expiresAt: number | null;
  createdAt: number;
  updatedAt: number;
  completedAt: number | null;
  /** The span in which it was put on the books, as W3C traceparent; null where nothing is traced. */
  traceparent: string | null;
  /** Of the last command that keeps its id here: tried again, it finds its own effect. */
  commandId: string | null;
  /** The link of the merchant's ledger chain that covers its creation; null: written before there was one. */
  batchNo: number | null;
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
  claimedBy: string;
  proof: { reference: string; payer: string; note: string | null; at: number } | null;
}

export interface OrderRef {
  merchantId: string;
  orderNo: string;
}

const terminal: readonly OrderStatus[] = ['completed', 'failed', 'timeout', 'cancelled'];

export function isTerminal(status: OrderStatus): boolean {
  return terminal.includes(status);
}
