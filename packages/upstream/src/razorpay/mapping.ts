import type { ChannelAnswer } from '@tidegate/domain/channels';

// The states of Razorpay and their meaning for the service. A state that is not in these tables is unknown, never
// failed.

interface Row<Meaning> {
  means: Meaning;
  /** The page below https://razorpay.com/docs that says so. */
  source: string;
}
type Table<Meaning> = Readonly<Record<string, Row<Meaning>>>;

const linkPage = 'api/payments/payment-links/entity';
export const linkStates: Table<'open' | 'part_paid' | 'paid' | 'expired' | 'cancelled'> = {
  created: { means: 'open', source: linkPage },
  partially_paid: { means: 'part_paid', source: linkPage },
  paid: { means: 'paid', source: linkPage },
  expired: { means: 'expired', source: linkPage },
  cancelled: { means: 'cancelled', source: linkPage },
};

/** `undecided`: a failed payment is not in it, because only a new state of the payment can make it money. */
export const paymentStates: Table<'undecided' | 'money' | 'none'> = {
  created: { means: 'undecided', source: 'payments/payments' },
  // The payer's account was debited. The payment is captured, or refunded by Razorpay after some days.
  authorized: { means: 'undecided', source: 'payments/payments/late-authorisation' },
  captured: { means: 'money', source: 'payments/payments' },
  // Refunded. If the payment was captured before, it is money, and its refund is a separate order (meaningOfPayment).
  refunded: { means: 'money', source: 'payments/refunds/auto-refunds' },
  failed: { means: 'none', source: 'payments/payments/late-authorisation' },
};

const payoutPage = 'x/payouts/states-life-cycle';
export const payoutStates: Table<'open' | 'cancellable' | 'paid' | 'reversed' | 'not_paid' | 'failed'> = {
  pending: { means: 'open', source: payoutPage },
  scheduled: { means: 'open', source: payoutPage },
  queued: { means: 'cancellable', source: 'api/x/payouts/cancel' },
  processing: { means: 'open', source: payoutPage },
  processed: { means: 'paid', source: payoutPage },
  // This state is set only when the money is back on the account.
  reversed: { means: 'reversed', source: payoutPage },
  rejected: { means: 'not_paid', source: payoutPage },
  cancelled: { means: 'not_paid', source: payoutPage },
  // The account may have been debited. Then the payout stays failed until the money is back, and becomes reversed.
  failed: { means: 'failed', source: payoutPage },
};

/** Reasons of a failed payout that say that the account was not debited. */
export const neverDebited: Table<true> = {
  insufficient_funds: { means: true, source: 'errors/x/payout-status-details' },
};

export const refundStates: Table<'accepted' | 'refunded' | 'failed'> = {
  pending: { means: 'accepted', source: 'api/refunds/entity' },
  processed: { means: 'refunded', source: 'api/refunds/entity' },
  failed: { means: 'failed', source: 'api/refunds/entity' },
};

/** The meaning of a state; undefined if Razorpay never documented it. */
export function meaningOf<Meaning>(table: Table<Meaning>, state: string): Meaning | undefined {
  return Object.hasOwn(table, state) ? table[state]?.means : undefined;
}

/**
 * The meaning of a payment; undefined if its state is unknown. Razorpay itself refunds payments that were authorised
 * and never captured, for example late ones. Their money never came, and only `captured` shows the difference.
 */
export function meaningOfPayment({ status, captured }: { status: string; captured?: boolean | null | undefined }) {
  const meaning = meaningOf(paymentStates, status);
  if (status !== 'refunded' || captured === true) return meaning;
  return captured === false ? 'none' : 'undecided';
}

type Unknown = Extract<ChannelAnswer, { outcome: 'unknown' }>;
/** Further facts about an unknown answer. */
export type Notes = Pick<Unknown, 'isForbidden' | 'isUnsent' | 'isUndecided'>;

/** The answer if the money may have moved. `detail` is short, and has no secret and no personal data. */
export function noAnswer(detail: string, notes: Notes = {}): Unknown {
  return { outcome: 'unknown', why: 'no_answer', detail, ...notes };
}

/** Razorpay answered, and the answer decides nothing yet. */
export const undecided = (detail: string): Unknown => noAnswer(detail, { isUndecided: true });

export const notFound: Unknown = { outcome: 'unknown', why: 'not_found', detail: 'Razorpay has no such order' };
