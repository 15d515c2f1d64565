import type { BookUnmatched } from './commands.ts';
import { type Circumstances, type Draft, openCase, post, recordPayment } from './draft.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';

/** Money for an order that is not ours: to suspense, with a case, once (decisions 5.5). */
export function bookUnmatched(draft: Draft, command: BookUnmatched, on: Circumstances): void {
  const { channelId, orderNo, reference } = command;
  if (draft.payments.some((payment) => payment.reference === reference)) return;
  const amount = Money.of(command.amount, draft.wallet.currency);
  recordPayment(draft, command, 'suspense', on.now);
  post(draft, channelAccount(channelId), 'suspense', amount, 'suspense_in', null, on.now);
  const detail = `for an unknown order ${orderNo}`;
  openCase(draft, { kind: 'unmatched', orderNo: null, channelId, reference, amount, detail }, on.now);
}
