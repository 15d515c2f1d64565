import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { operatorActor } from './operator.ts';
import type { DecideCase } from './operator-commands.ts';
import type { Order } from './order.ts';
import type { MoneyCase } from './payment.ts';
import { paymentOrderOf, restPrefix } from './refund.ts';
import type { Rejection } from './rejection.ts';
import type { Story } from './story.ts';
import { entryOfOrder } from './wallet.ts';

/**
 * Completes an ended payin with the money of the cases, in the given order. The rest of the last case becomes a new
 * case.
 */
export function creditOrder(story: Story, found: readonly MoneyCase[], { by }: DecideCase): Story | Rejection {
  const { order, state } = story;
  const { merchantId, orderNo, currency, amount } = order;
  if (story.statusAfter('case_credited') === null) return 'case_not_creditable';
  if (found.some(isOfPayout)) return 'case_not_creditable';
  // The same payment was also reported for the order, so its money is booked once.
  if (state.otherWallet && found.some((one) => state.payments.some(({ reference }) => reference === referenceOf(one))))
    return 'case_not_creditable';
  const rest = sumOf(found, order).minus(Money.of(amount, currency));
  const last = found.at(-1);
  // Each of the cases has to be needed.
  if (rest.isNegative() || !last || !rest.isLessThan(Money.of(last.amount, currency))) return 'case_not_creditable';
  const net = Money.of(order.netAmount, currency);
  const fee = Money.of(order.feeAmount, currency);
  const remark = remarkOf(found);
  const entered = takeOver(story, found, orderNo).enter(
    entryOfOrder(order, { type: 'PAYIN', availableChange: net, remark }),
  );
  if (!entered) throw new Error(`a credit of ${net} cannot be refused`);
  const paid = entered
    .post({ merchantId, orderNo, debit: 'suspense', credit: 'available', amount: net, cause: 'suspense_credited' })
    .post({ merchantId, orderNo, debit: 'suspense', credit: 'fee_revenue', amount: fee, cause: 'payin_fee' })
    .changeOrder({ paidAmount: amount, failureReason: null });
  const completed = paid.move('case_credited', { actor: operatorActor(by), detail: `${remark}: ${by.reason}` });
  return keepRest(completed ?? paid, last, rest);
}

/** Credits a completed payout's merchant with money that did not reach the payee, at most the payout's amount. */
export function creditPayout(story: Story, found: readonly MoneyCase[]): Story | Rejection {
  const { order, state } = story;
  const { merchantId, orderNo, currency } = order;
  // Released money already belongs to the merchant.
  if (state.otherWallet || !found.every((one) => isReturnOf(one, order))) return 'case_not_creditable';
  const total = sumOf(found, order);
  const most = Money.of(order.amount, currency);
  const amount = most.isLessThan(total) ? most : total;
  const last = found.at(-1);
  const rest = total.minus(amount);
  if (!last || !rest.isLessThan(Money.of(last.amount, currency))) return 'case_not_creditable';
  const credited = story
    .enter(entryOfOrder(order, { type: 'PAYOUT_RETURN', availableChange: amount, remark: remarkOf(found) }))
    ?.post({ merchantId, orderNo, debit: 'suspense', credit: 'available', amount, cause: 'payout_return' });
  return credited ? keepRest(credited, last, rest) : 'case_not_creditable';
}

/** Credits the wallet without an order, as an adjustment. Its booking number contains the number of the first case. */
export function creditWallet(story: Story, found: readonly MoneyCase[], command: DecideCase): Story | Rejection {
  const { order, wallet, otherWallet } = story.state;
  if (found.some((one) => isOfPayout(one) && !(order && isReturnOf(one, order)))) return 'case_not_creditable';
  const { merchantId } = otherWallet ?? wallet;
  const total = sumOf(found, wallet);
  const entered = takeOver(story, found, null).enter({
    type: 'ADJUSTMENT',
    merchantId,
    orderNo: null,
    merchantOrderNo: null,
    availableChange: total,
    frozenChange: Money.zero(total.currency),
    remark: remarkOf(found),
    bookingNo: `CASE/${command.merchantId}/${command.caseNo}`,
  });
  if (!entered) throw new Error(`a credit of ${total} cannot be refused`);
  const credit = { debit: 'suspense', credit: 'available', amount: total, cause: 'suspense_credited' } as const;
  return entered.post({ merchantId, orderNo: null, ...credit });
}

/** Moves the platform's money to the credited merchant: out of the platform's suspense, into the merchant's. */
function takeOver(story: Story, found: readonly MoneyCase[], orderNo: string | null): Story {
  return story.state.otherWallet ? found.reduce((taken, one) => takeOverCase(taken, one, orderNo), story) : story;
}

function takeOverCase(story: Story, found: MoneyCase, orderNo: string | null): Story {
  const { wallet, otherWallet } = story.state;
  if (!otherWallet) return story;
  const { merchantId } = otherWallet;
  const { channelId } = found;
  const channel = channelAccount(channelId);
  const amount = Money.of(found.amount, wallet.currency);
  const out = { merchantId: wallet.merchantId, orderNo: null, debit: 'suspense', credit: channel } as const;
  const credited = story
    .post({ ...out, amount, cause: 'suspense_out' })
    .post({ merchantId, orderNo, debit: channel, credit: 'suspense', amount, cause: 'suspense_in' });
  if (orderNo === null) return credited;
  // A reference is unique within its order, and the cases may be of several.
  const isTaken = credited.state.payments.some(({ reference }) => reference === referenceOf(found));
  const reference = isTaken ? `case ${found.caseNo} of ${found.merchantId}` : referenceOf(found);
  return credited.recordPayment({ merchantId, orderNo, channelId, amount: found.amount, reference, use: 'suspense' });
}

/** Opens a case over the rest of the last case, at the merchant whose order was credited. */
function keepRest(story: Story, last: MoneyCase, rest: Money): Story {
  if (rest.isZero()) return story;
  const { merchantId, orderNo } = story.order;
  const { channelId, reference } = last;
  const kind = isOfPayout(last) ? last.kind : 'wrong_amount';
  const detail = `${restPrefix}${last.caseNo} over ${last.amount}`;
  const paymentOrderNo = paymentOrderOf(last);
  return story.openCase({ merchantId, kind, orderNo, channelId, reference, amount: rest, detail, paymentOrderNo });
}

function isOfPayout({ kind }: MoneyCase): boolean {
  return kind === 'payout_returned' || kind === 'payout_underpaid';
}

function isReturnOf(found: MoneyCase, order: Order): boolean {
  return isOfPayout(found) && found.orderNo === order.orderNo && order.status === 'completed';
}

function referenceOf({ reference, caseNo }: MoneyCase): string {
  return reference ?? `case ${caseNo}`;
}

function sumOf(found: readonly MoneyCase[], { currency }: Pick<Order, 'currency'>): Money {
  return found.reduce((sum, { amount }) => sum.plus(Money.of(amount, currency)), Money.zero(currency));
}

function remarkOf(found: readonly MoneyCase[]): string {
  return `${found.length === 1 ? 'case' : 'cases'} ${found.map(({ caseNo }) => caseNo).join(', ')}`.slice(0, 255);
}
