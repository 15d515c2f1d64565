/**
 * Accounts of the ledger. `available` and `frozen` belong to the merchant of the row, the others to the platform.
 * Platform accounts have no running balance: their balance is the sum of their transfers.
 */
export type Account =
  | 'available'
  | 'frozen'
  | 'fee_revenue'
  | 'suspense'
  | 'external'
  /** What disputes with payers cost, until the channel settles them. */
  | 'dispute'
  | `channel:${string}`
  /** Differences between a channel's statements and the ledger: not yet explained, written off, and charged by the channel. */
  | `variance:${string}`
  | `written_off:${string}`
  | `channel_fee:${string}`;

/** Why money moved. */
export type TransferCause =
  | 'payin'
  | 'payin_fee'
  | 'payin_part'
  | 'payin_parts_credited'
  | 'suspense_in'
  | 'suspense_out'
  | 'suspense_credited'
  | 'payout_freeze'
  | 'payout_settle'
  | 'payout_fee'
  | 'payout_release'
  | 'payout_return'
  | 'top_up'
  | 'settlement'
  | 'settlement_paid'
  | 'settlement_returned'
  | 'adjustment'
  | 'reconciliation';

/** One positive amount moved from `debit` to `credit`. Never changed once written. Numbered per merchant without gaps. */
export interface Transfer {
  readonly merchantId: string;
  readonly transferNo: number;
  readonly debit: Account;
  readonly credit: Account;
  readonly currency: string;
  readonly amount: string;
  readonly cause: TransferCause;
  readonly orderNo: string | null;
  readonly createdAt: number;
  /** Number of the ledger-chain entry that covers it. */
  readonly batchNo: number;
}

/** Where differences between a channel's statements and the ledger are until they are explained. */
export function varianceAccount(channelId: string): Account {
  return `variance:${channelId}`;
}

/** What the platform bears of a channel's money. */
export function writtenOffAccount(channelId: string): Account {
  return `written_off:${channelId}`;
}

export function channelAccount(channelId: string): Account {
  return `channel:${channelId}`;
}
