import type { ChannelAnswer, ChannelPayment } from './channel-answer.ts';
import { flagContradiction } from './contradiction.ts';
import { type Circumstances, type Draft, enterWallet, move, openCase, post, recordPayment } from './draft.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { isTerminal, type Order } from './order.ts';
import type { CaseKind } from './payment.ts';
import { transition } from './transitions.ts';

/**
 * Books every payment that an answer tells of, once: for the order where it fits, else to suspense with a case (decisions 5.5).
 * A part counts only where the country takes parts, and where the channel does not call a wrong sum the final one.
 */
export function takePayments(
  draft: Draft,
  order: Order,
  answer: ChannelAnswer,
  actor: string,
  on: Circumstances,
): void {
  const told = 'payments' in answer ? (answer.payments ?? []) : [];
  const unknown = told.filter((payment, i) => {
    const isRepeated = told.findIndex((other) => other.reference === payment.reference) < i;
    return !isRepeated && !draft.payments.some((known) => known.reference === payment.reference);
  });
  for (const { reference, amount } of told) {
    const known = [...draft.payments, ...unknown].find((one) => one.reference === reference);
    if (known && !Money.of(known.amount, order.currency).equals(Money.of(amount, order.currency)))
      flagContradiction(draft, order, `${reference} was ${known.amount} before and is ${amount} now`, on);
  }
  unknown.forEach((payment, i) => {
    const partsWelcome = answer.outcome !== 'paid' || reachesTotal(order, unknown.slice(i));
    takePayment(draft, order, payment, partsWelcome, actor, on);
  });
}

/** Whether these payments, one after the other, come to exactly what is still due. */
function reachesTotal(order: Order, payments: readonly ChannelPayment[]): boolean {
  let paid = Money.of(order.paidAmount, order.currency);
  for (const payment of payments) {
    paid = paid.plus(Money.of(payment.amount, order.currency));
    if (paid.equals(Money.of(order.amount, order.currency))) return true;
  }
  return false;
}

function takePayment(
  draft: Draft,
  order: Order,
  told: ChannelPayment,
  partsWelcome: boolean,
  actor: string,
  on: Circumstances,
): void {
  const amount = Money.of(told.amount, order.currency);
  const due = Money.of(order.amount, order.currency).minus(Money.of(order.paidAmount, order.currency));
  const allows = (trigger: 'paid' | 'part_paid'): boolean =>
    transition('payin', order.country, order.status, trigger) !== null;
  if (order.status === 'completed') setAside(draft, order, told, 'double', 'the order is completed already', on);
  else if (isTerminal(order.status)) setAside(draft, order, told, 'late', `the order is ${order.status}`, on);
  else if (amount.equals(due) && allows('paid')) {
    recordPayment(draft, { ...order, ...told }, 'credited', on.now);
    complete(draft, order, amount, actor, on);
  } else if (due.isLessThan(amount) && order.mode === 'manual' && allows('paid')) {
    // Operators confirm what came: the order takes what was due, and the rest is a case.
    recordPayment(draft, { ...order, ...told }, 'credited', on.now);
    complete(draft, order, due, actor, on);
    const excess = amount.minus(due);
    post(draft, channelAccount(order.channelId), 'suspense', excess, 'suspense_in', order.orderNo, on.now);
    const detail = `${told.amount} came, ${due} was due`;
    const { orderNo, channelId } = order;
    const { reference } = told;
    openCase(draft, { kind: 'wrong_amount', orderNo, channelId, reference, amount: excess, detail }, on.now);
  } else if (amount.isLessThan(due) && partsWelcome && allows('part_paid')) {
    recordPayment(draft, { ...order, ...told }, 'part', on.now);
    order.paidAmount = Money.of(order.paidAmount, order.currency).plus(amount).toString();
    // They asked for the amount that was due before this part.
    Object.assign(order, { payLink: null, payQr: null });
    post(draft, channelAccount(order.channelId), 'suspense', amount, 'payin_part', order.orderNo, on.now);
    move(draft, order, 'part_paid', { actor, detail: `${told.amount} came` }, on);
  } else setAside(draft, order, told, 'wrong_amount', `${told.amount} came, ${due} was due`, on);
}

/** Into suspense it goes, until an operator credits or returns it. */
function setAside(
  draft: Draft,
  order: Order,
  told: ChannelPayment,
  kind: CaseKind,
  detail: string,
  on: Circumstances,
): void {
  const { orderNo, channelId } = order;
  const amount = Money.of(told.amount, order.currency);
  recordPayment(draft, { ...order, ...told }, 'suspense', on.now);
  post(draft, channelAccount(channelId), 'suspense', amount, 'suspense_in', orderNo, on.now);
  openCase(draft, { kind, orderNo, channelId, reference: told.reference, amount, detail }, on.now);
}

/** The whole amount is there: credits net to the wallet and the fee to the platform, parts out of suspense. */
function complete(draft: Draft, order: Order, last: Money, actor: string, on: Circumstances): void {
  const { currency, orderNo, merchantOrderNo } = order;
  const net = Money.of(order.netAmount, currency);
  const fee = Money.of(order.feeAmount, currency);
  const channel = channelAccount(order.channelId);
  if (order.paidAmount === '0.00') {
    post(draft, channel, 'available', net, 'payin', orderNo, on.now);
    post(draft, channel, 'fee_revenue', fee, 'payin_fee', orderNo, on.now);
  } else {
    post(draft, channel, 'suspense', last, 'payin_part', orderNo, on.now);
    post(draft, 'suspense', 'available', net, 'payin_parts_credited', orderNo, on.now);
    post(draft, 'suspense', 'fee_revenue', fee, 'payin_fee', orderNo, on.now);
  }
  const entry = {
    type: 'PAYIN',
    availableChange: net,
    frozenChange: Money.zero(currency),
    orderNo,
    merchantOrderNo,
    remark: null,
    bookingNo: null,
  } as const;
  if (!enterWallet(draft, entry, on.now)) throw new Error(`a credit of ${net} cannot be refused`);
  order.paidAmount = order.amount;
  move(draft, order, 'paid', { actor }, on);
}
