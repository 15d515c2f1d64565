import type { AskingState, PayerSentence, PayerState } from '../core/order-money.ts';

/**
 * The texts of the checkout page in one language. `{name}` is the merchant. `{amount}` is the amount left to pay, or in
 * `sentences` the amount that the sentence is about.
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
  states: Record<Exclude<PayerState, AskingState>, { title: string; advice: string }>;
  /** Titles of the states in which `sentences` say where the money is. */
  asking: Record<AskingState, string>;
  sentences: Record<PayerSentence['say'], string>;
  notFound: { title: string; advice: string };
  notAvailable: { title: string; advice: string };
}
