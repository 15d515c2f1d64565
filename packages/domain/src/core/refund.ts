import type { CaseKind } from './payment.ts';

/**
 * `requested`: decided, without a definite answer of the channel. `accepted`: the channel has it, and the money is not
 * back yet. The others are final: `failed` proves that nothing was refunded.
 */
export type RefundState = 'requested' | 'accepted' | 'refunded' | 'failed';

/** The outcomes that operators may find out about a refund whose channel gives no definite answer. */
export type RefundOutcome = 'refunded' | 'failed';

/** The money of one case on its way back to its payer through the channel. */
export interface Refund {
  readonly merchantId: string;
  /** The idempotency key at the channel. Never changes; a new decision has a new one. */
  readonly refundNo: string;
  readonly caseNo: number;
  readonly channelId: string;
  /** The order number by which the channel knows the payment. */
  readonly orderNo: string;
  /** The channel's reference of the payment. */
  readonly reference: string;
  readonly currency: string;
  readonly amount: string;
  /** What the payer may read. */
  readonly reason: string;
  readonly state: RefundState;
  /** The channel's own id of the refund. */
  readonly refundRef: string | null;
  /** The last answer in a few words. */
  readonly answer: string | null;
  /**
   * `send` only if the channel does not have the refund, or if it may be sent again. A failed refund can still be
   * queried.
   */
  readonly nextAction: 'send' | 'query' | null;
  readonly nextActionAt: number | null;
  /** How often a worker claimed the refund, and how often it was sent. */
  readonly attempt: number;
  readonly sends: number;
  /** The transfer of the refund; null: nothing was booked. */
  readonly transferNo: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
  /** The id of the claim whose answer has not arrived. Null: no call is under way. */
  readonly commandId: string | null;
}

/** Why the money came, in words for its payer. Kinds of cases without a payer's payment have none. */
export const refundReasons: Partial<Record<CaseKind, string>> = {
  late: 'paid after the order had ended',
  double: 'paid twice',
  wrong_amount: 'paid another amount',
  unmatched: 'paid without an order',
};

/** The beginning of the detail of a case that has the rest of another case. */
export const restPrefix = 'left of case ';

export function isEnded({ state }: Pick<Refund, 'state'>): boolean {
  return state === 'refunded' || state === 'failed';
}
