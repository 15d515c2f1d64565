/** How a payment stands for its payer. */
export type CheckoutState =
  | 'preparing'
  | 'waiting'
  | 'part_paid'
  /** Partly paid, and the channel gave no way to pay the rest. */
  | 'part_paid_no_way'
  | 'late'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'expired_part_paid'
  | 'cancelled';

/**
 * What the checkout page says in one language. `{name}` is the merchant; `{amount}` is what is left to pay, or after the end what was
 * received.
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
