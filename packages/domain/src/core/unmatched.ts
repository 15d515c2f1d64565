import type { BookUnmatched } from './commands.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import type { Payment } from './payment.ts';
import { confirmPlaceholders, isReportedMeanwhile, isSameMovement, placeholderOf } from './proven-payment.ts';
import type { Story } from './story.ts';

/** Books money for an unknown order, in either direction: to or from suspense, with a case, once (decisions 5.5). */
export function bookUnmatched(story: Story, command: BookUnmatched): Story {
  const { merchantId, channelId, orderNo, direction, line = null } = command;
  if (isConfirmation(story.state.payments, command)) {
    return confirmPlaceholders(story, { merchantId, orderNo, channelId }, [command]);
  }
  const { payments, wallet } = story.state;
  if (isBookedUnmatched(payments, command) || isShownAgain(payments, command)) return story;
  const { use, kind, what } = kinds[direction];
  const amount = Money.of(command.amount, wallet.currency);
  const about = { merchantId, orderNo: null, amount };
  const recorded = story.recordPayment({
    merchantId,
    orderNo,
    channelId,
    direction,
    reference: command.reference,
    amount: command.amount,
    use,
    line,
  });
  const channel = channelAccount(channelId);
  const posted =
    direction === 'out'
      ? recorded.post({ ...about, debit: 'suspense', credit: channel, cause: 'suspense_out' })
      : recorded.post({ ...about, debit: channel, credit: 'suspense', cause: 'suspense_in' });
  const detail = `${what} an unknown order ${orderNo}`;
  const found = { channelId, reference: command.reference, paymentOrderNo: orderNo };
  return posted.openCase({ ...about, kind, ...found, detail });
}

/** What of a payment says whether it is this money. */
type KnownPayment = Pick<Payment, 'direction' | 'reference' | 'channelId' | 'use' | 'line'>;

/** Whether this money is among the payments that the platform tenant has under the same order number. */
export function isBookedUnmatched(payments: readonly KnownPayment[], command: BookUnmatched): boolean {
  const { line = null, reference } = command;
  return payments.some(
    (known) =>
      (line !== null && known.line === line) ||
      (isAlike(known, command) && known.reference === reference && isSameMovement(known, line)),
  );
}

/** Whether it is the channel's report of money that a statement has shown under this order number. Without a number amounts alone say too little. */
export function isConfirmation(payments: readonly Payment[], command: BookUnmatched): boolean {
  const { line, channelId, orderNo } = command;
  if (line !== undefined || orderNo === withoutOrder) return false;
  return placeholderOf(payments, channelId, command) !== null;
}

/** Whether it is a line over money that the channel has reported under this order number meanwhile. */
function isShownAgain(payments: readonly Payment[], command: BookUnmatched): boolean {
  const { amount, line, orderNo, explained = 0 } = command;
  if (line === undefined || orderNo === withoutOrder) return false;
  const here = payments.filter((known) => isAlike(known, command));
  return isReportedMeanwhile(here, amount, explained);
}

/** Whether both are of one channel, and went the same way. */
function isAlike(
  known: Pick<Payment, 'channelId' | 'direction'>,
  { channelId, direction }: Pick<BookUnmatched, 'channelId' | 'direction'>,
): boolean {
  return known.channelId === channelId && known.direction === direction;
}

/** The order number under which money is booked that a statement shows without an order. */
export const withoutOrder = 'statement';

/**
 * Whether this money is among payments that the platform tenant has under other order numbers. It is if one of both was
 * reported without an order. Orders that the channel names keep their money apart, also under one reference.
 */
export function isBookedWithoutOrder(
  payments: readonly (KnownPayment & Pick<Payment, 'orderNo'>)[],
  command: BookUnmatched,
): boolean {
  return payments.some(
    (known) =>
      (known.orderNo === withoutOrder) !== (command.orderNo === withoutOrder) && isBookedUnmatched([known], command),
  );
}

const kinds = {
  in: { use: 'suspense', kind: 'unmatched', what: 'for' },
  out: { use: 'unasked', kind: 'payout_paid_again', what: 'paid out for' },
  back: { use: 'returned', kind: 'payout_returned', what: 'returned by the bank for' },
} as const;
