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

/** How an order is processed: by a channel's API, by the task market, or by an operator who confirms incoming funds. */
export type OrderMode = 'upstream' | 'market' | 'manual';

/** The worker's next action on an order. */
export type NextAction = 'submit' | 'poll' | 'expire';

/**
 * The current state of an order. Amounts are decimal text with two decimals, times are Unix milliseconds of the
 * database's clock.
 */
export interface Order {
  readonly merchantId: string;
  readonly orderNo: string;
  readonly merchantOrderNo: string;
  readonly kind: OrderKind;
  readonly country: Country;
  readonly currency: Currency;
  readonly mode: OrderMode;
  readonly status: OrderStatus;
  /** Whether it is about real money: true in production, false in a sandbox. The database refuses anything else. */
  readonly isLive: boolean;
  readonly amount: string;
  readonly feeAmount: string;
  readonly netAmount: string;
  /**
   * Payin: what was received and counts for the order, also parts that are still in suspense. Late and wrong payments
   * do not count. Payout: what was paid out.
   */
  readonly paidAmount: string;
  readonly feeTerms: FeeTerms;
  readonly bankCode: string | null;
  readonly channelId: string;
  /** The channel's own code for the bank. */
  readonly channelBankCode: string | null;
  /** Set after the channel accepted the order. */
  readonly channelRef: string | null;
  readonly payLink: string | null;
  readonly payQr: string | null;
  /**
   * Where this order's notifications go: its own URL, or the merchant's default if the country allows that. Null:
   * nowhere.
   */
  readonly notifyUrl: string | null;
  /** Payer or payee, remark and the merchant's own objects, as received. Personal data. */
  readonly details: OrderDetails;
  /** Set for a payout of the task market with a claim. */
  readonly task: MarketTask | null;
  readonly failureReason: string | null;
  /** The answer that contradicts the final status, after a case was opened about it. */
  readonly contradiction: string | null;
  readonly nextAction: NextAction | null;
  readonly nextActionAt: number | null;
  /** How often the next action was tried. */
  readonly attempt: number;
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly completedAt: number | null;
  /** The span that created it, as W3C traceparent; null without tracing. */
  readonly traceparent: string | null;
  /** Id of the last command that is stored here. A retry finds its own effect by it. */
  readonly commandId: string | null;
  /** Number of the ledger-chain entry that covers its creation. */
  readonly batchNo: number;
}

export interface OrderDetails {
  party?: { name?: string; account?: string; mobile?: string; email?: string; idNo?: string; ifsc?: string };
  returnUrl?: string;
  remark?: string;
  /** The merchant's own object (`metadata` or `extJson`), stored as received. */
  extra?: { [key: string]: unknown };
}

/** A claimed task of the market, with its proof of payment once there is one. */
export interface MarketTask {
  readonly claimedBy: string;
  /**
   * When the claim ran out, in Unix ms. Its operator may have paid: the task is listed again only after they, or two
   * others, say that they did not. Left out: the claim has not run out, or its proof was sent.
   */
  readonly askedAt?: number;
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
