import type { ChannelAnswer, ChannelPayment } from './channel-answer.ts';
import { flagContradiction } from './contradiction.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { isTerminal, type Order } from './order.ts';
import type { CaseKind, Payment, PaymentUse } from './payment.ts';
import { confirmPlaceholders, isReportedMeanwhile, isSameMovement } from './proven-payment.ts';
import type { Story } from './story.ts';
import { entryOfOrder } from './wallet.ts';

/**
 * Books every payment of an answer once: for the order if it fits, otherwise to suspense with a case (decisions 5.5).
 * A partial payment counts only if the country accepts parts, and only if the channel's answer is not final. `line`: the
 * statement line that proves it. Its payment waits for the channel's report, which then confirms it. If the channel has
 * reported it meanwhile, nothing is booked. `explained`: how many such payments of the order other lines explain.
 */
export function bookPayments(
  story: Story,
  answer: ChannelAnswer,
  {
    actor,
    line = null,
    explained = 0,
  }: { actor: string; line?: string | undefined | null; explained?: number | undefined },
): Story {
  const { channelId } = story.order;
  const ofChannel = story.state.payments.filter((known) => known.channelId === channelId);
  const isNew = ({ amount }: ChannelPayment): boolean =>
    line === null || !isReportedMeanwhile(ofChannel, amount, explained);
  const shown = 'payments' in answer ? (answer.payments ?? []) : [];
  const reported = shown.filter(isNew).map((one) => ({ ...one, line }));
  const confirmed = line === null ? confirm(story, reported) : story;
  const { payments } = confirmed.state;
  const unknown = reported.filter((payment, i) => {
    const isRepeated = reported.findIndex((other) => other.reference === payment.reference) < i;
    return !isRepeated && !payments.some((known) => isKnown(known, payment));
  });
  const compared = reported.reduce(
    (booked, payment) =>
      flagOtherAmount(booked, payment, [...payments.filter((one) => isKnown(one, payment)), ...unknown]),
    confirmed,
  );
  return unknown.reduce((booked, payment, i) => {
    const acceptsParts = answer.outcome !== 'paid' || reachesTotal(booked.order, unknown.slice(i));
    return bookPayment(booked, payment, { acceptsParts, actor });
  }, compared);
}

/** A payment of an answer. `line`: the statement line that proves it. */
type Reported = ChannelPayment & { line: string | null };

function confirm(story: Story, reported: readonly Reported[]): Story {
  const { merchantId, orderNo, channelId } = story.order;
  const movements = reported.map(({ reference, amount }) => ({ direction: 'in', reference, amount }) as const);
  return confirmPlaceholders(story, { merchantId, orderNo, channelId }, movements);
}

function isKnown(known: Payment, { reference, line }: Reported): boolean {
  return (line !== null && known.line === line) || (known.reference === reference && isSameMovement(known, line));
}

/** A second amount under the same reference contradicts the first. */
function flagOtherAmount(
  story: Story,
  { reference, amount }: ChannelPayment,
  payments: readonly Pick<Payment, 'reference' | 'amount'>[],
): Story {
  const { currency } = story.order;
  const known = payments.find((one) => one.reference === reference);
  if (!known || Money.of(known.amount, currency).equals(Money.of(amount, currency))) return story;
  return flagContradiction(story, `${reference} was ${known.amount} before and is ${amount} now`);
}

/** Whether these payments together are exactly the amount due. */
function reachesTotal(order: Order, payments: readonly ChannelPayment[]): boolean {
  let paid = Money.of(order.paidAmount, order.currency);
  for (const payment of payments) {
    paid = paid.plus(Money.of(payment.amount, order.currency));
    if (paid.equals(Money.of(order.amount, order.currency))) return true;
  }
  return false;
}

function bookPayment(
  story: Story,
  payment: Reported,
  { acceptsParts, actor }: { acceptsParts: boolean; actor: string },
): Story {
  const { status, currency, mode, amount: orderAmount, paidAmount } = story.order;
  const amount = Money.of(payment.amount, currency);
  const due = Money.of(orderAmount, currency).minus(Money.of(paidAmount, currency));
  const allows = (trigger: 'paid' | 'part_paid'): boolean => story.statusAfter(trigger) !== null;
  if (status === 'completed') return bookToSuspense(story, payment, 'double', 'the order is completed already');
  if (isTerminal(status)) return bookToSuspense(story, payment, 'late', `the order is ${status}`);
  if (amount.equals(due) && allows('paid')) return complete(story, payment, amount, actor);
  // Operators confirm what came in: the order gets the amount due, and the rest becomes a case.
  if (due.isLessThan(amount) && mode === 'manual' && allows('paid'))
    return bookExcess(complete(story, payment, due, actor), payment, due);
  if (amount.isLessThan(due) && acceptsParts && allows('part_paid')) return bookPart(story, payment, actor);
  return bookToSuspense(story, payment, 'wrong_amount', `${payment.amount} came, ${due} was due`);
}

function record(story: Story, payment: Reported, use: PaymentUse): Story {
  const { merchantId, orderNo, channelId } = story.order;
  return story.recordPayment({ merchantId, orderNo, channelId, direction: 'in', ...payment, use });
}

function bookPart(story: Story, payment: Reported, actor: string): Story {
  const { merchantId, orderNo, channelId, currency } = story.order;
  const amount = Money.of(payment.amount, currency);
  const paidAmount = Money.of(story.order.paidAmount, currency).plus(amount).toString();
  const part = { debit: channelAccount(channelId), credit: 'suspense', amount, cause: 'payin_part' } as const;
  const booked = record(story, payment, 'part')
    // The stored link and QR code ask for the amount that was due before this part.
    .changeOrder({ paidAmount, payLink: null, payQr: null })
    .post({ merchantId, orderNo, ...part });
  return booked.move('part_paid', { actor, detail: `${payment.amount} came` }) ?? booked;
}

/** Books what an operator confirmed beyond the amount due to suspense, with a case. */
function bookExcess(story: Story, { reference, amount }: ChannelPayment, due: Money): Story {
  const { merchantId, orderNo, channelId, currency } = story.order;
  const excess = Money.of(amount, currency).minus(due);
  const detail = `${amount} came, ${due} was due`;
  const about = { merchantId, orderNo, amount: excess };
  return story
    .post({ ...about, debit: channelAccount(channelId), credit: 'suspense', cause: 'suspense_in' })
    .openCase({ ...about, kind: 'wrong_amount', channelId, reference, detail });
}

/** Books to suspense until an operator credits or returns it. */
function bookToSuspense(story: Story, payment: Reported, kind: CaseKind, detail: string): Story {
  const { merchantId, orderNo, channelId, currency } = story.order;
  const about = { merchantId, orderNo, amount: Money.of(payment.amount, currency) };
  return record(story, payment, 'suspense')
    .post({ ...about, debit: channelAccount(channelId), credit: 'suspense', cause: 'suspense_in' })
    .openCase({ ...about, kind, channelId, reference: payment.reference, detail });
}

/**
 * The whole amount is paid: credits net to the wallet and the fee to the platform, and takes parts out of suspense.
 * `last` is the amount that was due.
 */
function complete(story: Story, payment: Reported, last: Money, actor: string): Story {
  const { order } = story;
  const { merchantId, orderNo, channelId, currency } = order;
  const net = Money.of(order.netAmount, currency);
  const fee = { merchantId, orderNo, amount: Money.of(order.feeAmount, currency), cause: 'payin_fee' } as const;
  const channel = channelAccount(channelId);
  const recorded = record(story, payment, 'credited');
  const posted =
    order.paidAmount === '0.00'
      ? recorded
          .post({ merchantId, orderNo, debit: channel, credit: 'available', amount: net, cause: 'payin' })
          .post({ ...fee, debit: channel, credit: 'fee_revenue' })
      : recorded
          .post({ merchantId, orderNo, debit: channel, credit: 'suspense', amount: last, cause: 'payin_part' })
          .post({
            merchantId,
            orderNo,
            debit: 'suspense',
            credit: 'available',
            amount: net,
            cause: 'payin_parts_credited',
          })
          .post({ ...fee, debit: 'suspense', credit: 'fee_revenue' });
  const entered = posted.enter(entryOfOrder(order, { type: 'PAYIN', availableChange: net }));
  if (!entered) throw new Error(`a credit of ${net} cannot be refused`);
  const completed = entered.changeOrder({ paidAmount: order.amount });
  return completed.move('paid', { actor }) ?? completed;
}
