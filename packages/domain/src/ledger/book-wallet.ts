import { type AdjustmentKind, type Command, reversalNoOf } from '../core/commands.ts';
import { isInputAmount, withTwoDecimals } from '../core/money.ts';
import type { Decision } from '../core/operator.ts';
import type { Result } from '../core/rejection.ts';
import type { LedgerAccess } from './ledger-access.ts';
import { type MovementLimit, withinLimit } from './within-limit.ts';

export interface WalletBooking {
  merchantId: string;
  entry: 'TOP_UP' | 'SETTLEMENT' | 'ADJUSTMENT';
  /** Of an adjustment: why, which chooses the account against which it is booked. Left out: the bank. */
  kind?: AdjustmentKind | undefined;
  /**
   * The channel of an adjustment of the kind `variance`. Of a top-up: the channel whose account received it; left out: no
   * statement has to show it.
   */
  channelId?: string | undefined;
  /** What an adjustment corrects: the number of an order, a settlement, a case or a booking. */
  corrects?: string | undefined;
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
  if (!isInputAmount(sizeOf(booking).size)) return { ok: false, rejection: 'amount_out_of_range' };
  const booked = await domain.commit(bookingCommand(booking, withinLimit(domain, by)));
  return booked.ok ? { ok: true, value: { alreadyBooked: booked.isRepeat } } : booked;
}

/** The command of a booking; a settlement takes its amount out. */
export function bookingCommand(booking: WalletBooking, by: Decision): Command {
  const { entry, merchantId, bookingNo, remark } = booking;
  const { kind, channelId, corrects } = booking;
  const correction = {
    ...(kind !== undefined && { kind }),
    ...(channelId !== undefined && { channelId }),
    ...(corrects !== undefined && { corrects }),
  };
  const { size, isNegative } = sizeOf(booking);
  const amount = withTwoDecimals(size);
  const signed = isNegative || entry === 'SETTLEMENT' ? `-${amount}` : amount;
  return { type: 'bookWallet', merchantId, entry, ...correction, amount: signed, bookingNo, remark, by };
}

/** A booking to take back, by its number. */
export interface Reversal {
  merchantId: string;
  bookingNo: string;
  remark: string;
}

/** The command that takes a top-up, settlement or adjustment back, once. */
export function reversalCommand({ merchantId, bookingNo, remark }: Reversal, by: Decision): Command {
  return { type: 'reverseBooking', merchantId, bookingNo: reversalNoOf(bookingNo), reverses: bookingNo, remark, by };
}

function sizeOf({ entry, amount }: WalletBooking): { size: string; isNegative: boolean } {
  const isNegative = entry === 'ADJUSTMENT' && amount.startsWith('-');
  return { size: isNegative ? amount.slice(1) : amount, isNegative };
}
