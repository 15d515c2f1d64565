import type { Currency } from './country.ts';
import { Money } from './money.ts';
import { plainReference } from './plain-reference.ts';

/**
 * How a payment was booked. `unasked` and `returned` are for payouts: outgoing money that did not settle the order, and
 * money that the bank returned. `evidence` replaces the payment that operators saw, until the channel reports it.
 * `confirmed`: the channel's report of money that a statement had proven. Nothing is booked for it.
 */
export type PaymentUse = 'credited' | 'part' | 'suspense' | 'unasked' | 'returned' | 'evidence' | 'confirmed';

/** `in`: a payin's payment. `out`: a payout's. `back`: the bank returned money of a payout. */
export type PaymentDirection = 'in' | 'out' | 'back';

/**
 * A payment of an order. Its direction and the channel's reference identify it, so that a repeated report has no effect:
 * a payment and its return may have the same reference.
 */
export interface Payment {
  readonly merchantId: string;
  readonly orderNo: string;
  /** 1, 2, 3 … within its order. */
  readonly seq: number;
  readonly direction: PaymentDirection;
  /** As the channel or the statement wrote it. Null: operators saw it, or it has none. */
  readonly reference: string | null;
  readonly channelId: string;
  readonly amount: string;
  readonly use: PaymentUse;
  /** The statement line for which it was booked, as `file/row/part`. Null: the channel or an operator reported it. */
  readonly line: string | null;
  readonly receivedAt: number;
  /** Number of the ledger-chain entry that covers it. */
  readonly batchNo: number;
}

/** The payment of this reference, also if it was typed in another way. Undefined: there is none. */
export function paymentOf(payments: readonly Payment[], reference: string): Payment | undefined {
  return payments.find((payment) => payment.reference === reference) ?? payments.find(isTypedAs(reference));
}

/** Whether a payment's or a case's reference is this one, however it was typed. */
export function isTypedAs(reference: string): (one: { readonly reference: string | null }) => boolean {
  const plain = plainReference(reference);
  return (one) => one.reference !== null && plainReference(one.reference) === plain;
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

/** What of a case's money is still out, or in suspense: less what came back. */
export function leftOfCase({ amount, cameBack, currency }: Pick<MoneyCase, 'amount' | 'cameBack' | 'currency'>): Money {
  return Money.of(amount, currency as Currency).minus(Money.of(cameBack, currency as Currency));
}

/** Whether a case is about money of a payout that came back, or that was not paid out. */
export function isOfPayout({ kind }: Pick<MoneyCase, 'kind'>): boolean {
  return kind === 'payout_returned' || kind === 'payout_underpaid';
}

/** State in the database. */
export const caseStates = ['open', 'credited', 'returned', 'charged', 'written_off'] as const;
export type CaseState = (typeof caseStates)[number];

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
  /** The order number by which the channel knows the payment; null: not known. */
  readonly paymentOrderNo: string | null;
  /**
   * How much of money that left came back, as decimal text. Of an open case the rest is still out. Once it was charged or
   * written off, what came back since was given back.
   */
  readonly cameBack: string;
  /** Number of the ledger-chain entry that covers the case. */
  readonly batchNo: number;
}
