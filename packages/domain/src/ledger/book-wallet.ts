import { isInputAmount, withTwoDecimals } from '../core/money.ts';
import type { Decision } from '../core/operator.ts';
import type { Result } from '../core/rejection.ts';
import type { LedgerAccess } from './ledger-access.ts';
import { type MovementLimit, withinLimit } from './within-limit.ts';

export interface WalletBooking {
  merchantId: string;
  entry: 'TOP_UP' | 'SETTLEMENT' | 'ADJUSTMENT';
  /** Positive for a top-up and a settlement (which takes it out); an adjustment may be negative, written with a minus. */
  amount: string;
  /** Makes it happen once: the same number again changes nothing. */
  bookingNo: string;
  remark: string;
}

export interface Booked {
  /** The same was booked before under this number, and this has changed nothing: the ledger writer says so, however many come at once. */
  alreadyBooked: boolean;
}

/**
 * Books a top-up, a settlement (withdrawal) or an adjustment. Above what an operator may move alone in a day a second one is needed.
 * Refusals: amount_out_of_range, second_operator_needed, balance_insufficient, and booking_no_taken where something else was
 * booked under the number.
 */
export async function bookWallet(
  domain: LedgerAccess & MovementLimit,
  booking: WalletBooking,
  by: Decision,
): Promise<Result<Booked>> {
  const { entry, merchantId, bookingNo, remark } = booking;
  const negative = entry === 'ADJUSTMENT' && booking.amount.startsWith('-');
  const size = negative ? booking.amount.slice(1) : booking.amount;
  if (!isInputAmount(size)) return { ok: false, rejection: 'amount_out_of_range' };
  const amount = withTwoDecimals(size);
  const booked = await domain.commit({
    type: 'bookWallet',
    merchantId,
    entry,
    amount: negative || entry === 'SETTLEMENT' ? `-${amount}` : amount,
    bookingNo,
    remark,
    by: withinLimit(domain, by),
  });
  return booked.ok ? { ok: true, value: { alreadyBooked: booked.isRepeat } } : booked;
}
