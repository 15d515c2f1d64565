import type { BookUnmatched } from './commands.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import type { Story } from './story.ts';

/** Books money for an unknown order, in either direction: to or from suspense, with a case, once (decisions 5.5). */
export function bookUnmatched(story: Story, command: BookUnmatched): Story {
  const { merchantId, channelId, orderNo, direction } = command;
  const { payments, wallet } = story.state;
  // A payment and its return may have the same reference.
  const ofChannel = direction === 'back' ? `${command.reference.slice(0, 118)}/returned` : command.reference;
  const names = [ofChannel, `${ofChannel.slice(0, 127 - channelId.length)}@${channelId}`];
  if (payments.some((known) => names.includes(known.reference) && known.channelId === channelId)) return story;
  // And so may payments of two channels.
  const reference = names.find((name) => payments.every((known) => known.reference !== name));
  if (reference === undefined) throw new Error(`no reference is left for a payment of ${channelId}`);
  const { use, kind, what } = kinds[direction];
  const amount = Money.of(command.amount, wallet.currency);
  const about = { merchantId, orderNo: null, amount };
  const recorded = story.recordPayment({ merchantId, orderNo, channelId, reference, amount: command.amount, use });
  const channel = channelAccount(channelId);
  const posted =
    direction === 'out'
      ? recorded.post({ ...about, debit: 'suspense', credit: channel, cause: 'suspense_out' })
      : recorded.post({ ...about, debit: channel, credit: 'suspense', cause: 'suspense_in' });
  const detail = `${what} an unknown order ${orderNo}`;
  return posted.openCase({ ...about, kind, channelId, reference: command.reference, detail });
}

const kinds = {
  in: { use: 'suspense', kind: 'unmatched', what: 'for' },
  out: { use: 'unasked', kind: 'payout_paid_again', what: 'paid out for' },
  back: { use: 'returned', kind: 'payout_returned', what: 'returned by the bank for' },
} as const;
