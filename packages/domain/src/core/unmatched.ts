import type { BookUnmatched } from './commands.ts';
import { type Circumstances, type Draft, openCase, post, recordPayment } from './draft.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';

/** Money for an order that is not ours, whichever way it went: suspense takes or bears it, with a case, once (decisions 5.5). */
export function bookUnmatched(draft: Draft, command: BookUnmatched, on: Circumstances): void {
  const { channelId, orderNo, direction } = command;
  // A payment and its return may have the same reference.
  const ofChannel = direction === 'back' ? `${command.reference.slice(0, 118)}/returned` : command.reference;
  const names = [ofChannel, `${ofChannel.slice(0, 127 - channelId.length)}@${channelId}`];
  if (draft.payments.some((known) => names.includes(known.reference) && known.channelId === channelId)) return;
  // And so may payments of two channels.
  const reference = names.find((name) => draft.payments.every((known) => known.reference !== name));
  if (reference === undefined) throw new Error(`no reference is left for a payment of ${channelId}`);
  const amount = Money.of(command.amount, draft.wallet.currency);
  const channel = channelAccount(channelId);
  const about = { orderNo: null, channelId, reference: command.reference, amount };
  if (direction === 'out') {
    recordPayment(draft, { ...command, reference }, 'unasked', on.now);
    post(draft, 'suspense', channel, amount, 'suspense_out', null, on.now);
    openCase(
      draft,
      { kind: 'payout_paid_again', ...about, detail: `paid out for an unknown order ${orderNo}` },
      on.now,
    );
    return;
  }
  recordPayment(draft, { ...command, reference }, direction === 'back' ? 'returned' : 'suspense', on.now);
  post(draft, channel, 'suspense', amount, 'suspense_in', null, on.now);
  const [kind, detail] =
    direction === 'back'
      ? (['payout_returned', `returned by the bank for an unknown order ${orderNo}`] as const)
      : (['unmatched', `for an unknown order ${orderNo}`] as const);
  openCase(draft, { kind, ...about, detail }, on.now);
}
