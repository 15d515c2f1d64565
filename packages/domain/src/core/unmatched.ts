import { truncateText } from './channel-answer.ts';
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
    const movement = { amount: command.amount, names: namesOf(command) };
    return confirmPlaceholders(story, { merchantId, orderNo, channelId }, [movement], isAlike(command));
  }
  const { payments, wallet } = story.state;
  if (isBookedUnmatched(payments, command) || isShownAgain(payments, command)) return story;
  const reference = namesOf(command).find((name) => payments.every((known) => known.reference !== name));
  if (reference === undefined) throw new Error(`no reference is left for a payment of ${channelId}`);
  const { use, kind, what } = kinds[direction];
  const amount = Money.of(command.amount, wallet.currency);
  const about = { merchantId, orderNo: null, amount };
  const recorded = story.recordPayment({
    merchantId,
    orderNo,
    channelId,
    reference,
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

/** Whether this money is among the payments that the platform tenant has under the same order number. */
export function isBookedUnmatched(
  payments: readonly Pick<Payment, 'reference' | 'channelId' | 'use' | 'line'>[],
  command: BookUnmatched,
): boolean {
  const { channelId, line = null } = command;
  const names = namesOf(command);
  return payments.some(
    (known) =>
      (line !== null && known.line === line) ||
      (known.channelId === channelId && names.includes(known.reference) && isSameMovement(known, line)),
  );
}

/** Whether it is the channel's report of money that a statement has shown under this order number. Without a number amounts alone say too little. */
export function isConfirmation(payments: readonly Payment[], command: BookUnmatched): boolean {
  const { amount, line, channelId, orderNo } = command;
  if (line !== undefined || orderNo === withoutOrder) return false;
  const isOf = isAlike(command);
  const isHere = (booked: Payment): boolean => booked.channelId === channelId && isOf(booked);
  return placeholderOf(payments, { amount, names: namesOf(command) }, isHere) !== null;
}

/** Whether it is a line over money that the channel has reported under this order number meanwhile. */
function isShownAgain(payments: readonly Payment[], command: BookUnmatched): boolean {
  const { amount, line, channelId, orderNo, explained = 0 } = command;
  if (line === undefined || orderNo === withoutOrder) return false;
  const isOf = isAlike(command);
  const here = payments.filter((known) => known.channelId === channelId && isOf(known));
  return isReportedMeanwhile(here, amount, explained);
}

const isAlike =
  ({ direction }: Pick<BookUnmatched, 'direction'>) =>
  ({ use }: Pick<Payment, 'use'>): boolean =>
    use === kinds[direction].use;

/** The order number under which money is booked that a statement shows without an order. */
export const withoutOrder = 'statement';

/**
 * Whether this money is among payments that the platform tenant has under other order numbers. It is if one of both was
 * reported without an order. Orders that the channel names keep their money apart, also under one reference.
 */
export function isBookedWithoutOrder(
  payments: readonly Pick<Payment, 'orderNo' | 'reference' | 'channelId' | 'use' | 'line'>[],
  command: BookUnmatched,
): boolean {
  return payments.some(
    (known) =>
      (known.orderNo === withoutOrder) !== (command.orderNo === withoutOrder) && isBookedUnmatched([known], command),
  );
}

/** The names under which the money of these commands may be recorded. */
export function namesOfUnmatched(commands: readonly BookUnmatched[]): string[] {
  return commands.flatMap(namesOf);
}

/**
 * The references under which the money may be recorded: a payment and its return may have the same reference, and so
 * may payments of two channels.
 */
function namesOf({ channelId, reference, direction }: BookUnmatched): readonly string[] {
  const ofChannel = direction === 'back' ? `${truncateText(reference, 118)}/returned` : reference;
  return [ofChannel, `${truncateText(ofChannel, 127 - channelId.length)}@${channelId}`];
}

const kinds = {
  in: { use: 'suspense', kind: 'unmatched', what: 'for' },
  out: { use: 'unasked', kind: 'payout_paid_again', what: 'paid out for' },
  back: { use: 'returned', kind: 'payout_returned', what: 'returned by the bank for' },
} as const;
