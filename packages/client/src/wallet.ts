/** The wallet (decisions 6). Amounts are text with two decimals. */
export interface Wallet {
  merchantNo: string;
  currency: string;
  /** `available` and `frozen` together. */
  balance: string;
  available: string;
  frozen: string;
  /** Unix seconds. */
  updatedAt: number;
}

export type WalletTransactionType =
  | 'PAYIN'
  | 'PAYOUT_FREEZE'
  | 'PAYOUT_RELEASE'
  | 'PAYOUT'
  | 'TOP_UP'
  | 'ADJUSTMENT'
  | 'SETTLEMENT'
  | 'PAYOUT_RETURN';

export interface WalletTransaction {
  transactionNo: string;
  type: WalletTransactionType;
  /** Its effect on the balance, with a sign where it is negative; `0.00` for a freeze or release. */
  amount: string;
  /** Only of a freeze or release. */
  frozenChange?: string;
  /** The three right after it. */
  balance: string;
  available: string;
  frozen: string;
  orderNo?: string;
  merchantOrderNo?: string;
  remark?: string;
  /** Unix seconds. */
  createdAt: number;
}

/** A page of transactions, newest first. */
export interface WalletPage {
  list: WalletTransaction[];
  page: number;
  pageSize: number;
  total: number;
}

export interface PageRequest {
  /** From 1; 1 if left out. */
  page?: number | undefined;
  /** 1 to 100; 20 if left out. */
  pageSize?: number | undefined;
}
