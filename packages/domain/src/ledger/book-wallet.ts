import { isInputAmount, withTwoDecimals } from '../core/money.ts';
import type { Decision } from '../core/operator.ts';
import type { Result } from '../core/rejection.ts';
import type { LedgerAccess } from './ledger-access.ts';
import { type MovementLimit, withinLimit } from './within-limit.ts';

export interface WalletBooking {
  merchantId: string;
  entry: 'TOP_UP' | 'SETTLEMENT' | 'ADJUSTMENT';
  /** Positive for a top-up and a settlement (which takes it out). An adjustment may be negative. */
  amount: string;
  /** Makes the booking idempotent. */
  bookingNo: string;
  remark: string;
}

export interface Booked {
  /** The same booking existed under this number, and this one has changed nothing. */
  alreadyBooked: boolean;
}

/**
 * Books a top-up, a settlement (withdrawal) or an adjustment. Above an operator's daily limit a second operator is
 * needed. Refusals: amount_out_of_range, second_operator_needed, balance_insufficient, and booking_no_taken if the
 * number has a different booking.
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
