import * as z from 'zod';
import type { Outcome } from '../../core/rejection.ts';
import { bookingCommand, bookWallet, readWallet, type WalletBooking } from '../../ledger/index.ts';
import { amount, handBookingNo, merchantId, signedAmount, text } from '../input-schemas.ts';
import { aboveLimit, type OperationContext, onMerchant } from '../operation.ts';
import { onlyAboveLimit } from '../second-operator-rule.ts';

/** The booking, and the wallet after it. Amounts are decimal text in the merchant's currency. */
export interface BookedWallet {
  merchantId: string;
  bookingNo: string;
  entry: WalletBooking['entry'];
  /** The change of the available balance, with its sign. */
  change: string;
  currency: string;
  balance: string;
  available: string;
  frozen: string;
  /** True if it was booked before. Then nothing has changed now. */
  alreadyBooked: boolean;
}

const fields = {
  merchantId: merchantId(),
  bookingNo: handBookingNo('Number of the bank transfer. Sending the same number again has no effect.'),
  remark: text('Remark that the merchant sees in its wallet.'),
};
const subject = (input: { bookingNo: string }): string => input.bookingNo;

export const topUpWallet = onMerchant({
  summary: `Record a bank transfer received from a merchant, which increases the wallet.${aboveLimit}`,
  roles: ['finance'],
  input: z.strictObject({ ...fields, amount: amount('Amount.') }),
  subject,
  needsSecond: onlyAboveLimit,
  trial: (input, _, by) => bookingCommand({ entry: 'TOP_UP', ...input }, by),
  execute: (context, input) => book(context, 'TOP_UP', input),
});

export const settleWallet = onMerchant({
  summary: `Record a settlement paid to the merchant's bank, which reduces the wallet.${aboveLimit}`,
  roles: ['finance'],
  input: z.strictObject({ ...fields, amount: amount('Amount.') }),
  subject,
  needsSecond: onlyAboveLimit,
  trial: (input, _, by) => bookingCommand({ entry: 'SETTLEMENT', ...input }, by),
  execute: (context, input) => book(context, 'SETTLEMENT', input),
});

export const adjustWallet = onMerchant({
  summary: `Correct the balance of a wallet.${aboveLimit}`,
  roles: ['finance'],
  input: z.strictObject({ ...fields, amount: signedAmount('Amount to add. Use a negative amount to deduct.') }),
  subject,
  needsSecond: onlyAboveLimit,
  trial: (input, _, by) => bookingCommand({ entry: 'ADJUSTMENT', ...input }, by),
  execute: (context, input) => book(context, 'ADJUSTMENT', input),
});

async function book(
  { domain, by }: OperationContext,
  entry: WalletBooking['entry'],
  input: Omit<WalletBooking, 'entry'>,
): Promise<Outcome<BookedWallet>> {
  const { merchantId, bookingNo, amount } = input;
  const booked = await bookWallet(domain, { entry, ...input }, by);
  if (!booked.ok) return booked;
  const { currency, balance, available, frozen } = await readWallet(domain, merchantId);
  const change = entry === 'SETTLEMENT' ? `-${amount}` : amount;
  const what = { merchantId, bookingNo, entry, change, currency, balance, available, frozen };
  return { ok: true, value: { ...what, ...booked.value } };
}
