import { bookWallet, findBooking, readWallet, type WalletBooking } from '@tidegate/domain';
import { type Answer, done, refused } from './answer.ts';
import type { Context } from './command.ts';
import { argument, required } from './fields.ts';
import { findMerchant, noMerchant } from './lookups.ts';
import { bookingNo, merchantNo, text } from './readers.ts';
import { rejected } from './rejections.ts';

/** What top-up, settle and adjust have in common besides the amount. */
export const bookingFields = {
  merchant: argument('<merchant>', 'its merchant number', merchantNo),
  bookingNo: required('--booking-no <no>', "the bank transfer's number: the same again changes nothing", bookingNo),
  remark: required('--remark <text>', 'what the merchant sees in its wallet', text),
};

/** Books once per booking number, and shows the wallet as it is then. */
export async function book(
  { domain, by }: Context,
  entry: WalletBooking['entry'],
  { merchant, ...input }: { merchant: string; amount: string; bookingNo: string; remark: string },
): Promise<Answer> {
  if (!(await findMerchant(domain, merchant))) return noMerchant(merchant);
  const before = await findBooking(domain, merchant, input.bookingNo);
  const change = entry === 'SETTLEMENT' ? `-${input.amount}` : input.amount;
  if (before && (before.type !== entry || before.availableChange !== change))
    return refused(
      `booking ${input.bookingNo} of ${merchant} was used for ${before.type} ${before.availableChange}: choose another number`,
    );
  const booked = await bookWallet(domain, { merchantId: merchant, entry, ...input }, by);
  if (!booked.ok) return rejected(`${entry} ${change} for ${merchant}`, booked);
  const { balance, available, frozen, currency } = await readWallet(domain, merchant);
  const message = before
    ? `Booking ${input.bookingNo} was done already: nothing has changed.`
    : `Booked ${change} for ${merchant}.`;
  const result = {
    merchantNo: merchant,
    bookingNo: input.bookingNo,
    entry,
    change,
    currency,
    balance,
    available,
    frozen,
  };
  return done(message, { ...result, alreadyBooked: before !== null });
}
