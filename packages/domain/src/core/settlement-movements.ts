import type { ChannelAnswer, ChannelPayment } from './channel-answer.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import type { Payment } from './payment.ts';
import { bookedPaymentOf, confirmPlaceholders, isReportedMeanwhile } from './proven-payment.ts';
import type { Settlement, ShownLine } from './settlement.ts';
import type { Story } from './story.ts';

// What a channel moved for a settlement is stored as payments of its number at the channel, so that each is booked once. The payment and the return of the
// whole amount are the settlement's own. Everything else goes to suspense, with a case, as with payouts (decisions 5.5). What lines of a statement show is
// stored too, and the channel's report of it confirms it.

/** What an answer means for the settlement itself. */
export type Meaning = 'paid' | 'returned' | 'not_paid' | 'open';

type Sent = Settlement & { channelId: string; paymentNo: string };

/** The meaning of an answer. A payment that is booked as another movement does not pay the settlement. */
export function meaningOf(story: Story, settlement: Settlement, answer: ChannelAnswer): Meaning {
  const { payments: booked, wallet } = story.state;
  const amount = Money.of(settlement.amount, wallet.currency);
  const isWhole = (one: ChannelPayment): boolean => Money.of(one.amount, amount.currency).equals(amount);
  const isOther = ({ reference }: ChannelPayment): boolean =>
    booked.some((row) => row.reference === reference && bookedPaymentOf(booked, row).use === 'unasked');
  const payments = paymentsOf(answer);
  const own = payments.filter((one) => !isOther(one));
  const isPaid = own.some(isWhole) || (settlement.state === 'confirmed' && areParts(own, amount));
  switch (answer.outcome) {
    case 'paid':
      return isPaid ? 'paid' : 'open';
    case 'returned':
      return isWhole(answer.returned) && (isPaid || payments.length === 0) ? 'returned' : 'open';
    case 'refused':
    case 'failed':
    case 'closed':
      return 'not_paid';
    case 'timed_out':
      return payments.length === 0 ? 'not_paid' : 'open';
    case 'accepted':
    case 'part_paid':
    case 'unknown':
      return 'open';
    default:
      return answer satisfies never;
  }
}

/** Whether several payments come to the whole amount together. */
function areParts(payments: readonly ChannelPayment[], amount: Money): boolean {
  const sum = payments.reduce(
    (all, one) => all.plus(Money.of(one.amount, amount.currency)),
    Money.zero(amount.currency),
  );
  return payments.length > 1 && sum.equals(amount);
}

/** Confirms what lines have shown of the movements of an answer. */
export function confirmShown(story: Story, { merchantId, channelId, paymentNo }: Sent, answer: ChannelAnswer): Story {
  const about = { merchantId, orderNo: paymentNo, channelId };
  const out = paymentsOf(answer).map(({ reference, amount }) => ({ direction: 'out', reference, amount }) as const);
  const paid = confirmPlaceholders(story, about, out);
  if (answer.outcome !== 'returned') return paid;
  const { reference, amount } = answer.returned;
  return confirmPlaceholders(paid, about, [{ direction: 'back', reference, amount }]);
}

/** Stores what lines show of the settlement itself: its payment, or its return, as a whole or in parts. */
export function recordShown(
  story: Story,
  settlement: Sent,
  lines: readonly ShownLine[],
  direction: 'in' | 'out',
): Story {
  const use = direction === 'in' ? 'returned' : lines.length === 1 ? 'credited' : 'part';
  return lines.reduce((recorded, line) => recordLine(recorded, settlement, line, use), story);
}

/** Books what a line shows beside the settlement itself to suspense, with a case, as people decided. What the channel has reported meanwhile is booked already. */
export function bookShown(
  story: Story,
  settlement: Sent,
  answer: ChannelAnswer,
  { line, explained }: { line: string; explained: number },
): Story {
  const { payments, wallet } = story.state;
  if (payments.some((row) => row.line === line)) return story;
  const returned = answer.outcome === 'returned' ? answer.returned : null;
  const [shown] = returned ? [returned] : paymentsOf(answer);
  if (!shown) return story;
  const alike = payments.filter((row) => isReturn(row) === (returned !== null));
  if (isReportedMeanwhile(alike, shown.amount, explained)) return story;
  const about = { ...shown, place: line };
  if (returned) return openReturned(recordLine(story, settlement, about, 'returned'), settlement, returned);
  const isWhole = Money.of(shown.amount, wallet.currency).equals(Money.of(settlement.amount, wallet.currency));
  return openPaid(recordLine(story, settlement, about, 'unasked'), settlement, shown, isWhole);
}

const isReturn = ({ direction }: Pick<Payment, 'direction'>): boolean => direction === 'back';

function recordLine(
  story: Story,
  settlement: Sent,
  { place, reference, amount }: ShownLine,
  use: Payment['use'],
): Story {
  return record(story, settlement, { reference, amount }, use, place);
}

const paymentsOf = (answer: ChannelAnswer): readonly ChannelPayment[] =>
  'payments' in answer ? (answer.payments ?? []) : [];

/** Stores each movement of an answer once, and books those that are not the settlement's own. */
export function bookMovements(story: Story, settlement: Sent, answer: ChannelAnswer, meaning: Meaning): Story {
  const amount = Money.of(settlement.amount, story.state.wallet.currency);
  const isWhole = (one: ChannelPayment): boolean => Money.of(one.amount, amount.currency).equals(amount);
  // Operators have confirmed it, which was posted. So the channel's first report of it in parts is no other money.
  const isSeen =
    settlement.state === 'confirmed' && settlement.transferNo !== null && story.state.payments.every(isReturn);
  const isInParts = isSeen && areParts(paymentsOf(answer), amount);
  const paid = paymentsOf(answer).reduce(
    (booked, payment) =>
      isInParts ? record(booked, settlement, payment, 'part') : bookPaid(booked, settlement, payment, isWhole),
    story,
  );
  if (answer.outcome !== 'returned') return paid;
  return bookReturned(paid, settlement, answer.returned, meaning === 'returned');
}

function bookPaid(
  story: Story,
  settlement: Sent,
  payment: ChannelPayment,
  isWhole: (one: ChannelPayment) => boolean,
): Story {
  const { payments } = story.state;
  if (payments.some((row) => !isReturn(row) && row.reference === payment.reference)) return story;
  const hasOwn = payments.some(({ use }) => use === 'credited' || use === 'part');
  if (isWhole(payment) && !hasOwn) return record(story, settlement, payment, 'credited');
  return openPaid(record(story, settlement, payment, 'unasked'), settlement, payment, isWhole(payment));
}

function openPaid(
  story: Story,
  settlement: Sent,
  { reference, amount: paid }: ChannelPayment,
  isWhole: boolean,
): Story {
  const { merchantId, channelId, settlementNo, paymentNo } = settlement;
  const amount = Money.of(paid, story.state.wallet.currency);
  const about = { merchantId, orderNo: null, amount };
  const what = isWhole
    ? ({ kind: 'payout_paid_again', detail: `settlement ${settlementNo} was paid again` } as const)
    : ({
        kind: 'payout_wrong_amount',
        detail: `${amount} of ${settlement.amount} was paid for settlement ${settlementNo}`,
      } as const);
  return story
    .post({ ...about, debit: 'suspense', credit: channelAccount(channelId), cause: 'suspense_out' })
    .openCase({ ...about, ...what, channelId, reference, paymentOrderNo: paymentNo });
}

function bookReturned(story: Story, settlement: Sent, returned: ChannelPayment, isOwn: boolean): Story {
  const { payments, wallet } = story.state;
  if (payments.some((row) => isReturn(row) && row.reference === returned.reference)) return story;
  const recorded = record(story, settlement, returned, 'returned');
  const whole = Money.of(settlement.amount, wallet.currency);
  const isWhole = ({ amount }: Pick<Payment, 'amount'>): boolean => Money.of(amount, wallet.currency).equals(whole);
  const hasOwn = payments.some((row) => row.use === 'returned' && isWhole(row));
  return isOwn && !hasOwn ? recorded : openReturned(recorded, settlement, returned);
}

function openReturned(story: Story, settlement: Sent, { reference, amount: back }: ChannelPayment): Story {
  const { merchantId, channelId, settlementNo, paymentNo } = settlement;
  const amount = Money.of(back, story.state.wallet.currency);
  const about = { merchantId, orderNo: null, amount };
  const detail = `${amount} of settlement ${settlementNo} came back`;
  return story
    .post({ ...about, debit: channelAccount(channelId), credit: 'suspense', cause: 'suspense_in' })
    .openCase({ ...about, kind: 'wrong_amount', channelId, reference, detail, paymentOrderNo: paymentNo });
}

function record(
  story: Story,
  { merchantId, channelId, paymentNo }: Sent,
  { reference, amount }: ChannelPayment,
  use: Payment['use'],
  line: string | null = null,
): Story {
  const direction = use === 'returned' ? 'back' : 'out';
  const about = { merchantId, orderNo: paymentNo, channelId, direction } as const;
  return story.recordPayment({ ...about, reference, amount, use, line });
}
