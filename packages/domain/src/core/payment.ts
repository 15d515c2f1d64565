/**
 * How a payment was booked. `unasked` and `returned` are for payouts: outgoing money that did not settle the order, and
 * money that the bank returned. `evidence` replaces the payment that operators saw, until the channel reports it.
 */
export type PaymentUse = 'credited' | 'part' | 'suspense' | 'unasked' | 'returned' | 'evidence';

/** The reference of a payment that operators saw, on a payout that they settled. */
export const evidenceReference = 'seen by operators';

/** A payment of an order. The channel's reference identifies it, so that a repeated report has no effect. */
export interface Payment {
  readonly merchantId: string;
  readonly orderNo: string;
  readonly reference: string;
  readonly channelId: string;
  readonly amount: string;
  readonly use: PaymentUse;
  readonly receivedAt: number;
  /** Number of the ledger-chain entry that covers it; null for rows older than the chain. */
  readonly batchNo: number | null;
}

/** Why an operator has to decide about money (decisions 5.5). */
export type CaseKind =
  | 'late'
  | 'double'
  | 'wrong_amount'
  | 'parts_of_unpaid'
  | 'unmatched'
  | 'payout_returned'
  | 'payout_paid_again'
  | 'payout_wrong_amount'
  | 'payout_underpaid'
  | 'settlement_failed'
  | 'contradiction';

/** Whether a case is about money that left, which suspense bears. The money of all other cases is in suspense. */
export function isOutgoing(kind: CaseKind): boolean {
  return kind === 'payout_paid_again' || kind === 'payout_wrong_amount';
}

/** State in the database. */
export type CaseState = 'open' | 'credited' | 'returned';

/** State that operators see. `returning`: open, and its money is being sent back through the channel. */
export type CaseProgress = CaseState | 'returning';

export function progressOfCase({ state, refundNo }: Pick<MoneyCase, 'state' | 'refundNo'>): CaseProgress {
  return state === 'open' && refundNo !== null ? 'returning' : state;
}

/** Whether a case only informs operators: it holds no money. */
export function isWithoutMoney(kind: CaseKind): boolean {
  return kind === 'contradiction' || kind === 'settlement_failed';
}

/**
 * Money in suspense until an operator credits or returns it. A `contradiction` is about the order and holds no
 * money, nor does a `settlement_failed`: that money is back in the wallet.
 */
export interface MoneyCase {
  readonly merchantId: string;
  readonly caseNo: number;
  readonly kind: CaseKind;
  readonly state: CaseState;
  readonly orderNo: string | null;
  readonly channelId: string;
  /** The channel's reference of the payment; null if the case is about several. */
  readonly reference: string | null;
  readonly currency: string;
  readonly amount: string;
  readonly detail: string;
  readonly openedAt: number;
  readonly closedAt: number | null;
  /** The refund that reserves an open case, or that returned its money. A reserved case takes no other decision. */
  readonly refundNo: string | null;
  /** The order number by which the channel knows the payment; null: not known, or of an older version. */
  readonly paymentOrderNo: string | null;
  /** Number of the ledger-chain entry that covers the case; null for cases older than the chain. */
  readonly batchNo: number | null;
}
