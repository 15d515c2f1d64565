import * as z from 'zod';
import { loadChannels } from '../../channels/index.ts';
import { adjustmentKinds } from '../../core/commands.ts';
import type { Outcome } from '../../core/rejection.ts';
import { bookingCommand, bookWallet, readWallet, reversalCommand, type WalletBooking } from '../../ledger/index.ts';
import { unrestricted } from '../../lists/scope.ts';
import { isReconciled } from '../../reconciliation/index.ts';
import {
  amount,
  channelId,
  choice,
  handBookingNo,
  merchantId,
  reference,
  signedAmount,
  text,
} from '../input-schemas.ts';
import { aboveLimit, type OperationContext, onMerchant } from '../operation.ts';
import { always, onlyAboveLimit } from '../second-operator-rule.ts';

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
  title: () => 'Top up the wallet',
  roles: ['finance'],
  input: z.strictObject({
    ...fields,
    amount: amount('Amount.'),
    channelId: channelId(
      'Channel whose account received it. Its statement then has to show it. Default: none.',
    ).optional(),
  }),
  subject,
  needsSecond: onlyAboveLimit,
  channelField: 'channelId',
  trial: (input, _, by) => bookingCommand({ entry: 'TOP_UP', ...input }, by),
  execute: async (context, input) => {
    const { merchantId, channelId } = input;
    if (channelId !== undefined && !(await isReconciled(context.domain, merchantId, channelId)))
      return { ok: false, rejection: 'channel_not_found', detail: `${channelId} has no statements in this country` };
    return book(context, 'TOP_UP', input);
  },
});

export const settleWallet = onMerchant({
  summary: `Record a settlement paid to the merchant's bank, which reduces the wallet.${aboveLimit}`,
  title: () => 'Record a settlement',
  roles: ['finance'],
  input: z.strictObject({ ...fields, amount: amount('Amount.') }),
  subject,
  needsSecond: onlyAboveLimit,
  trial: (input, _, by) => bookingCommand({ entry: 'SETTLEMENT', ...input }, by),
  execute: (context, input) => book(context, 'SETTLEMENT', input),
});

const adjustInput = z.strictObject({
  ...fields,
  bookingNo: handBookingNo('Number of the adjustment. Sending the same number again has no effect.'),
  kind: choice(
    'Account against which it is booked. FEE: our fees. VARIANCE: differences of a channel. BANK: money that moved at our bank. DISPUTE: disputes with payers.',
    adjustmentKinds,
  ),
  amount: signedAmount('Amount to add. Use a negative amount to deduct.'),
  channelId: channelId('Channel of a VARIANCE.').optional(),
  corrects: reference('What it corrects: the number of an order, a settlement, a case or a booking.').optional(),
});

export const adjustWallet = onMerchant({
  summary: `Correct the balance of a wallet, against our fees, a variance, the bank or disputes.${aboveLimit}`,
  title: ({ kind }) => `Adjust the wallet (${kind})`,
  roles: ['finance'],
  input: adjustInput,
  subject,
  channelField: 'channelId',
  problem: ({ kind, channelId }) =>
    (kind === 'variance') === (channelId !== undefined) ? null : { ok: false, rejection: 'channel_of_variance' },
  needsSecond: onlyAboveLimit,
  trial: (input, _, by) => bookingCommand({ entry: 'ADJUSTMENT', ...input }, by),
  execute: async (context, input) => {
    if (
      input.channelId !== undefined &&
      (await loadChannels(context.domain, unrestricted, [input.channelId]))[0] === null
    )
      return { ok: false, rejection: 'channel_not_found' };
    return book(context, 'ADJUSTMENT', input);
  },
});

/** The wallet after a reversal, and the booking that was taken back. */
export type ReversedBooking = Omit<BookedWallet, 'entry' | 'change' | 'alreadyBooked'>;

export const reverseBooking = onMerchant({
  summary:
    'Take back a wrong top-up, settlement or adjustment, once: the opposite amount against the same account. Needs a second operator.',
  title: () => 'Take back the booking',
  roles: ['finance'],
  input: z.strictObject({
    ...fields,
    bookingNo: handBookingNo('Number of the booking to take back.'),
  }),
  subject,
  needsSecond: always,
  trial: (input, _, by) => reversalCommand(input, by),
  execute: async ({ domain, by }, input): Promise<Outcome<ReversedBooking>> => {
    const done = await domain.commit(reversalCommand(input, by));
    if (!done.ok) return done;
    const { merchantId, bookingNo } = input;
    const { currency, balance, available, frozen } = await readWallet(domain, merchantId);
    return { ok: true, value: { merchantId, bookingNo, currency, balance, available, frozen } };
  },
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
