import type { AdjustmentKind, BookWallet, RecordChange, ReverseBooking } from './commands.ts';
import type { Deciders } from './decider.ts';
import { type Account, channelAccount, type TransferCause, varianceAccount } from './ledger.ts';
import { Money } from './money.ts';
import { isAlone } from './operator.ts';
import type { Rejection } from './rejection.ts';
import { isReservedBookingNo } from './settlement.ts';
import type { Existing } from './state.ts';
import type { Story } from './story.ts';
import type { EntryInput } from './wallet.ts';

/** A wallet: bookings by hand and their reversals, and what changes of the configuration move. */
export const walletDeciders: Deciders<'bookWallet' | 'reverseBooking' | 'recordChange'> = {
  bookWallet,
  reverseBooking,
  recordChange: postDifferences,
};

/** An entry of a wallet that belongs to no order, and the account against which it is booked. */
export interface Booking {
  merchantId: string;
  entry: BookWallet['entry'];
  bookingNo: string;
  remark: string;
  counter: Account;
  corrects?: string | null;
  /** Left out: that of the entry. */
  cause?: TransferCause;
}

const causes = { TOP_UP: 'top_up', SETTLEMENT: 'settlement', ADJUSTMENT: 'adjustment' } as const;

/** Books an entry of a wallet and its transfer; null if the balance is too low. `amount` is what the wallet gets, below zero what it loses. */
export function bookEntry(story: Story, booking: Booking, amount: Money): Story | null {
  const { merchantId, entry, counter, cause = causes[entry] } = booking;
  const input: EntryInput = {
    merchantId,
    type: entry,
    availableChange: amount,
    frozenChange: Money.zero(amount.currency),
    orderNo: null,
    merchantOrderNo: null,
    remark: booking.remark,
    bookingNo: booking.bookingNo,
    counter,
    corrects: booking.corrects ?? null,
  };
  const entered = story.enter(input);
  if (!entered) return null;
  const moved = { merchantId, orderNo: null, cause };
  return amount.isNegative()
    ? entered.post({ ...moved, debit: 'available', credit: counter, amount: amount.negated() })
    : entered.post({ ...moved, debit: counter, credit: 'available', amount });
}

/**
 * Books a top-up against the bank or the account of its channel, a settlement against the bank, and an adjustment against
 * the account of its kind; refused if the balance is too low.
 */
function bookWallet(story: Story, command: BookWallet): Story | Rejection {
  const { existing, isTakenBack } = story.state;
  // The correction of a booking that was taken back is another booking, under another number.
  if (isTakenBack) return 'booking_reversed';
  if (existing) return problemOfBookingNo(existing, command) ?? story;
  const { merchantId, entry, remark, bookingNo, corrects = null } = command;
  const counter = counterOf(command);
  if (counter === null) return 'channel_of_variance';
  const amount = Money.of(command.amount, story.state.wallet.currency);
  return (
    bookEntry(story, { merchantId, entry, remark, bookingNo, counter, corrects }, amount) ?? 'balance_insufficient'
  );
}

/** The account of a booking; null: a variance without its channel, or another adjustment with one. */
function counterOf({ entry, kind = 'bank', channelId }: BookWallet): Account | null {
  if (entry === 'TOP_UP' && channelId !== undefined) return channelAccount(channelId);
  if (entry !== 'ADJUSTMENT') return 'external';
  if ((kind === 'variance') !== (channelId !== undefined)) return null;
  return accountOfKind(kind, channelId ?? '');
}

function accountOfKind(kind: AdjustmentKind, channelId: string): Account {
  switch (kind) {
    case 'fee':
      return 'fee_revenue';
    case 'variance':
      return varianceAccount(channelId);
    case 'bank':
      return 'external';
    case 'dispute':
      return 'dispute';
    default:
      return kind satisfies never;
  }
}

/** The same booking again changes nothing; a different one cannot have its number. */
function problemOfBookingNo({ booked }: Existing, command: BookWallet): Rejection | null {
  const isSame = booked?.entry === command.entry && booked.amount === command.amount;
  return isSame && booked.counter === counterOf(command) ? null : 'booking_no_taken';
}

/**
 * Takes a wrong booking back, once: the opposite amount against the same account. Two operators have to agree. A
 * reversal cannot be reversed, nor can what settlements and cases book: those have endings of their own.
 */
function reverseBooking(story: Story, command: ReverseBooking): Story | Rejection {
  const { merchantId, bookingNo, reverses, remark, by } = command;
  const { existing, reversed } = story.state;
  if (existing) return 'booking_reversed';
  if (!reversed?.booked) return 'booking_not_found';
  if (isReservedBookingNo(reverses)) return 'booking_not_reversible';
  const { amount, counter } = reversed.booked;
  if (counter === null) return 'booking_not_reversible';
  const back = Money.of(amount, story.state.wallet.currency).negated();
  const reversal = { merchantId, entry: 'ADJUSTMENT', bookingNo, remark, corrects: reverses } as const;
  const booked = bookEntry(story, { ...reversal, counter }, back);
  if (!booked) return 'balance_insufficient';
  // Checked last, so that no operator is asked to approve what is impossible.
  return isAlone(by) ? 'second_operator_needed' : booked;
}

/** The transfers of a reconciliation, between accounts of the platform. */
function postDifferences(story: Story, { merchantId, postings = [] }: RecordChange): Story {
  const { currency } = story.state.wallet;
  const about = { merchantId, orderNo: null, cause: 'reconciliation' } as const;
  return postings.reduce(
    (told, { debit, credit, amount }) => told.post({ ...about, debit, credit, amount: Money.of(amount, currency) }),
    story,
  );
}

/** The booking number of what a case takes from a wallet or brings to it. A case is decided once. */
export const caseBookingNo = ({ merchantId, caseNo }: { merchantId: string; caseNo: number }): string =>
  `CASE/${merchantId}/${caseNo}`;
