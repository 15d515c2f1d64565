import type { BookWallet } from './commands.ts';
import { type Circumstances, type Draft, enterWallet, post } from './draft.ts';
import { Money } from './money.ts';
import type { Rejection } from './rejection.ts';

const causes = { TOP_UP: 'top_up', SETTLEMENT: 'settlement', ADJUSTMENT: 'adjustment' } as const;

/** Books a top-up, settlement or adjustment against the bank; refused where the wallet cannot bear it. */
export function bookWallet(draft: Draft, command: BookWallet, on: Circumstances): Rejection | null {
  const { currency } = draft.wallet;
  const amount = Money.of(command.amount, currency);
  const entry = {
    type: command.entry,
    availableChange: amount,
    frozenChange: Money.zero(currency),
    orderNo: null,
    merchantOrderNo: null,
    remark: command.remark,
    bookingNo: command.bookingNo,
  };
  if (!enterWallet(draft, entry, on.now)) return 'balance_insufficient';
  const cause = causes[command.entry];
  if (amount.isNegative()) post(draft, 'available', 'external', amount.negated(), cause, null, on.now);
  else post(draft, 'external', 'available', amount, cause, null, on.now);
  return null;
}
