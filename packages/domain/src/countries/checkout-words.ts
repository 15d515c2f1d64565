/** The state of a payment, as shown to its payer. */
export type CheckoutState =
  | 'preparing'
  | 'waiting'
  | 'part_paid'
  /** Partly paid, and the channel offers no way to pay the rest. */
  | 'part_paid_no_way'
  | 'late'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'expired_part_paid'
  | 'cancelled';

/**
 * The texts of the checkout page in one language. `{name}` is the merchant. `{amount}` is the amount left to pay, or
 * after the end the amount received.
 */
export interface CheckoutWords {
  pay: string;
  amount: string;
  paidSoFar: string;
  rest: string;
  order: string;
  payBefore: string;
  timeLeft: string;
  qr: string;
  toBank: string;
  lookAgain: string;
  copyAmount: string;
  copied: string;
  back: string;
  states: Record<CheckoutState, { title: string; advice: string }>;
  notFound: { title: string; advice: string };
  notAvailable: { title: string; advice: string };
}
