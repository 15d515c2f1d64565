import { bookEntry } from './book-wallet.ts';
import { Money } from './money.ts';
import type { Rejection } from './rejection.ts';
import { returnNoOf, type Settlement } from './settlement.ts';
import type { Story } from './story.ts';

export const entryOf = ({ merchantId, settlementNo }: Settlement) => ({
  merchantId,
  remark: `Settlement ${settlementNo}`,
  counter: 'external' as const,
});

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
  const { merchantId, settlementNo } = settlement;
  const returned = { ...entryOf(settlement), entry: 'ADJUSTMENT', bookingNo, corrects: settlementNo } as const;
  const booked = bookEntry(story, returned, amount);
  if (!booked) return 'balance_insufficient';
  const about = { merchantId, orderNo: null, channelId: 'settlement', reference: settlementNo, amount, detail };
  const opened = booked.openCase({ kind: 'settlement_failed', ...about });
  const { lastCaseNo: caseNo } = opened.state.wallet;
  return change(opened, settlement, { ...changes, state: 'failed', failedAt: story.now, caseNo });
}
