/** What became of a payment that a channel told of. */
export type PaymentUse = 'credited' | 'part' | 'suspense';

/** A payment that came in for an order, known by the channel's reference, so that telling it twice is harmless. */
export interface Payment {
  merchantId: string;
  orderNo: string;
  reference: string;
  channelId: string;
  amount: string;
  use: PaymentUse;
  receivedAt: number;
}

/** Why an operator has to decide about money (decisions 5.5). */
export type CaseKind =
  | 'late'
  | 'double'
  | 'wrong_amount'
  | 'parts_of_unpaid'
  | 'unmatched'
  | 'payout_returned'
  | 'payout_paid_again';

export type CaseState = 'open' | 'credited' | 'returned';

/** Money that lies in suspense until an operator credits or returns it. */
export interface MoneyCase {
  merchantId: string;
  caseNo: number;
  kind: CaseKind;
  state: CaseState;
  orderNo: string | null;
  channelId: string;
  /** The channel's reference of the payment; null where the case is about several. */
  reference: string | null;
  currency: string;
  amount: string;
  detail: string;
  openedAt: number;
  closedAt: number | null;
}
