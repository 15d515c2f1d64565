import type { Word } from '../format/words.ts';
import type {
  SettlementDetailQuery,
  SettlementFileState,
  SettlementKind,
  SettlementState,
  Weekday,
} from '../generated/documents.generated.ts';

/** A settlement as its page reads it. */
export type SettlementDetail = NonNullable<SettlementDetailQuery['settlement']>;

/** States of settlements. */
export const settlementStateWords: Readonly<Record<SettlementState, Word>> = {
  DRAFT: { label: 'Draft', tone: 'warn' },
  APPROVED: { label: 'To pay', tone: 'warn' },
  PAID: { label: 'Paid, to confirm', tone: 'info' },
  CONFIRMED: { label: 'Confirmed', tone: 'good' },
  FAILED: { label: 'Failed', tone: 'bad' },
};

/** States of bank files. */
export const fileStateWords: Readonly<Record<SettlementFileState, Word>> = {
  OPEN: { label: 'Not finished', tone: 'warn' },
  READY: { label: 'Ready', tone: 'good' },
};

/** What each state means, and what comes next. */
const settlementStories: Readonly<Record<SettlementState, string>> = {
  DRAFT: 'It is computed, and no money has moved. Next: two operators approve it, by the amount and the bank account.',
  APPROVED:
    'The amount has left the wallet. Next: pay it, in one of three ways. Put it into a bank file, pay it through a channel, or claim the payment and transfer it yourself.',
  PAID: 'Its payment is claimed: by a channel, a bank file or an operator. Next: a line of the bank’s statement confirms it, or two operators do.',
  CONFIRMED: 'The statement of the bank or the channel shows the payment. Nothing is left to do.',
  FAILED: 'The amount is back in the wallet. The case says what to find out. The next run settles it again.',
};

/** What a settlement means in its state. A draft of nothing is not approved. */
export function storyOf({ state, amount }: Pick<SettlementDetail, 'state' | 'amount'>): string {
  if (state === 'DRAFT' && /^0\.0*$/.test(amount))
    return 'There is nothing to pay: what it settles is below the minimum, and is carried over to the next run.';
  return settlementStories[state];
}

/** What a settlement is made of. */
export const settlementKindWords: Readonly<Record<SettlementKind, string>> = {
  PAYINS: 'Payins',
  PAYIN_FEES: 'Fees of payins',
  PAYOUTS: 'Payouts, with fees',
  PAYOUTS_RELEASED: 'Payouts that failed',
  PAYOUTS_RETURNED: 'Payouts that came back',
  TOP_UPS: 'Top-ups',
  ADJUSTMENTS: 'Corrections',
  SETTLEMENTS: 'Settlements by hand',
};

/** Days of the week, the first working day first. */
export const weekdayWords: Readonly<Record<Weekday, string>> = {
  MON: 'Mon',
  TUE: 'Tue',
  WED: 'Wed',
  THU: 'Thu',
  FRI: 'Fri',
  SAT: 'Sat',
  SUN: 'Sun',
};
