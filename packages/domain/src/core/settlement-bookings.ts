import type { BookWallet } from './commands.ts';
import { Money } from './money.ts';
import type { Rejection } from './rejection.ts';
import { returnNoOf, type Settlement } from './settlement.ts';
import type { Story } from './story.ts';

type Entry = Pick<BookWallet, 'merchantId' | 'entry' | 'bookingNo' | 'remark'>;

export const entryOf = ({ merchantId, settlementNo }: Settlement) => ({
  merchantId,
  remark: `Settlement ${settlementNo}`,
});

/** The same entry and transfer as of a settlement that is booked by hand. */
export function book(
  story: Story,
  { merchantId, entry, bookingNo, remark }: Entry,
  amount: Money,
): Story | 'balance_insufficient' {
  const entered = story.enter({
    merchantId,
    type: entry,
    availableChange: amount,
    frozenChange: Money.zero(amount.currency),
    orderNo: null,
    merchantOrderNo: null,
    remark,
    bookingNo,
  });
  if (!entered) return 'balance_insufficient';
  const moved = { merchantId, orderNo: null };
  return amount.isNegative()
    ? entered.post({ ...moved, cause: 'settlement', debit: 'available', credit: 'external', amount: amount.negated() })
    : entered.post({ ...moved, cause: 'adjustment', debit: 'external', credit: 'available', amount });
}

export function change(story: Story, settlement: Settlement, changes: Partial<Settlement>): Story {
  return story.add({ type: 'settlement written', settlement: { ...settlement, ...changes } });
}

/**
 * Brings the amount back to the wallet, with a case. It is booked as an adjustment: a settlement only takes money out.
 * The database has its booking number once.
 */
export function bringBack(
  story: Story,
  settlement: Settlement,
  detail: string,
  changes: Partial<Settlement> = {},
): Story | Rejection {
  const amount = Money.of(settlement.amount, story.state.wallet.currency);
  const bookingNo = returnNoOf(settlement.settlementNo);
  const booked = book(story, { ...entryOf(settlement), entry: 'ADJUSTMENT', bookingNo }, amount);
  if (typeof booked === 'string') return booked;
  const { merchantId, settlementNo } = settlement;
  const about = { merchantId, orderNo: null, channelId: 'settlement', reference: settlementNo, amount, detail };
  const opened = booked.openCase({ kind: 'settlement_failed', ...about });
  const { lastCaseNo: caseNo } = opened.state.wallet;
  return change(opened, settlement, { ...changes, state: 'failed', failedAt: story.now, caseNo });
}
