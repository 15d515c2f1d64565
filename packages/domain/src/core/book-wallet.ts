import type { BookWallet } from './commands.ts';
import { Money } from './money.ts';
import type { Rejection } from './rejection.ts';
import type { Story } from './story.ts';

const causes = { TOP_UP: 'top_up', SETTLEMENT: 'settlement', ADJUSTMENT: 'adjustment' } as const;

/** Books a top-up, settlement or adjustment against the bank; refused if the balance is too low. */
export function bookWallet(story: Story, command: BookWallet): Story | Rejection {
  const { merchantId, entry, remark, bookingNo } = command;
  const { currency } = story.state.wallet;
  const amount = Money.of(command.amount, currency);
  const entered = story.enter({
    merchantId,
    type: entry,
    availableChange: amount,
    frozenChange: Money.zero(currency),
    orderNo: null,
    merchantOrderNo: null,
    remark,
    bookingNo,
  });
  if (!entered) return 'balance_insufficient';
  const moved = { merchantId, orderNo: null, cause: causes[entry] };
  return amount.isNegative()
    ? entered.post({ ...moved, debit: 'available', credit: 'external', amount: amount.negated() })
    : entered.post({ ...moved, debit: 'external', credit: 'available', amount });
}
