import { exceeds, isInputAmount, withTwoDecimals } from '../../core/money.ts';
import type { Decision } from '../../core/operator.ts';
import type { Result } from '../../core/rejection.ts';
import type { Domain } from '../domain.ts';

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
  /** The same was booked before under this number, and this has changed nothing: the seam says so, however many come at once. */
  alreadyBooked: boolean;
}

/**
 * Books a top-up, a settlement (withdrawal) or an adjustment. Settlements and adjustments above the configured amount need a second
 * operator. Refusals: amount_out_of_range, second_operator_needed, balance_insufficient, and booking_no_taken where something else was
 * booked under the number.
 */
export async function bookWallet(domain: Domain, booking: WalletBooking, by: Decision): Promise<Result<Booked>> {
  const { entry, merchantId, bookingNo, remark } = booking;
  const negative = entry === 'ADJUSTMENT' && booking.amount.startsWith('-');
  const size = negative ? booking.amount.slice(1) : booking.amount;
  if (!isInputAmount(size)) return { ok: false, rejection: 'amount_out_of_range' };
  const amount = withTwoDecimals(size);
  const second = by.approver !== null && by.approver !== by.actor;
  if (needsSecondOperator(entry, amount, domain.approvalLimit) && !second)
    return { ok: false, rejection: 'second_operator_needed' };
  const booked = await domain.commit({
    type: 'bookWallet',
    merchantId,
    entry,
    amount: negative || entry === 'SETTLEMENT' ? `-${amount}` : amount,
    bookingNo,
    remark,
    by,
  });
  return booked.ok ? { ok: true, value: { alreadyBooked: booked.isRepeat } } : booked;
}

/** Whether a booking of this amount (decimal text, with or without a minus) needs two: settlements and adjustments above `limit`. */
export function needsSecondOperator(entry: WalletBooking['entry'], amount: string, limit: string): boolean {
  return entry !== 'TOP_UP' && exceeds(amount.replace(/^-/, ''), limit);
}
