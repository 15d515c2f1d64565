import type { ChannelAnswer } from '@tidegate/domain/channels';

// Razorpay's states in our terms. A state that is not in these tables is unknown, never failed.

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
  // Debited at the payer. It is captured, or refunded by Razorpay after some days.
  authorized: { means: 'undecided', source: 'payments/payments/late-authorisation' },
  captured: { means: 'money', source: 'payments/payments' },
  // If it was captured before: then its refund is an order of its own (meaningOfPayment).
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
  // Only set when the money is back on the account.
  reversed: { means: 'reversed', source: payoutPage },
  rejected: { means: 'not_paid', source: payoutPage },
  cancelled: { means: 'not_paid', source: payoutPage },
  // May have been debited: it stays failed until the money is back, and is reversed then.
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
 * What a payment means; undefined if its state is unknown. Razorpay refunds payments by itself that were authorised and
 * never captured, for example late ones. Their money never came, and only `captured` tells them apart.
 */
export function meaningOfPayment({ status, captured }: { status: string; captured?: boolean | null | undefined }) {
  const meaning = meaningOf(paymentStates, status);
  if (status !== 'refunded' || captured === true) return meaning;
  return captured === false ? 'none' : 'undecided';
}

type Unknown = Extract<ChannelAnswer, { outcome: 'unknown' }>;
/** What else is known of an unknown answer. */
export type Notes = Pick<Unknown, 'isForbidden' | 'isUnsent' | 'isUndecided'>;

/** The money may have moved. `detail` is short, and has no secret and nothing personal in it. */
export function noAnswer(detail: string, notes: Notes = {}): Unknown {
  return { outcome: 'unknown', why: 'no_answer', detail, ...notes };
}

/** Razorpay answered, and what it said decides nothing yet. */
export const undecided = (detail: string): Unknown => noAnswer(detail, { isUndecided: true });

export const notFound: Unknown = { outcome: 'unknown', why: 'not_found', detail: 'Razorpay has no such order' };
