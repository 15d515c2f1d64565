import { bookEntry, caseBookingNo } from './book-wallet.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { operatorActor } from './operator.ts';
import type { DecideCase } from './operator-commands.ts';
import { isTerminal, type Order } from './order.ts';
import { isOfPayout, isOutgoing, leftOfCase, type MoneyCase } from './payment.ts';
import { restPrefix } from './refund.ts';
import type { Rejection } from './rejection.ts';
import { casesOfUnknownPayout, giveBackBorne, repayCases } from './repay-cases.ts';
import { borneCasesOf, openCasesOf } from './state.ts';
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
  const isBooked = ({ reference }: MoneyCase): boolean =>
    reference !== null && state.payments.some((payment) => payment.reference === reference);
  if (state.otherWallet && found.some(isBooked)) return 'case_not_creditable';
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
  return keepRest(completed ?? paid, { merchantId, orderNo: orderOfRest(last, order) }, last, rest);
}

/** The rest is money of the payer who sent it, whose order may be another one of the merchant. Money of the platform has no order but the credited one. */
function orderOfRest(last: MoneyCase, { merchantId, orderNo }: Order): string {
  return last.merchantId === merchantId ? (last.orderNo ?? orderNo) : orderNo;
}

/**
 * Credits money that the bank returned of a payout, also in parts. First it repays what had left beside the payout: open
 * cases, then those who bear it. Of a completed payout its merchant gets the rest, in all at most the payout's amount. Once all of it
 * came back, its terms say whether the fee is given back too.
 */
export function creditPayout(story: Story, found: readonly MoneyCase[], command: DecideCase): Story | Rejection {
  const { order, state } = story;
  // Released money already belongs to the merchant.
  if (state.otherWallet || !found.every((one) => isReturnOf(one, order))) return 'case_not_creditable';
  const total = sumOf(found, order);
  const back = sumOf(
    found.filter(({ kind }) => kind === 'payout_returned'),
    order,
  );
  const out = openCasesOf(state, order).filter(({ kind }) => isOutgoing(kind));
  const repaid = repayCases(story, out, back);
  const given = giveBackBorne(repaid.story, borneCasesOf(state, order), { returned: command, amount: repaid.left });
  const credited = creditReturn(given.story, total.minus(back).plus(given.left), { found, command });
  const last = found.at(-1);
  if (!credited || !last || !credited.rest.isLessThan(Money.of(last.amount, order.currency)))
    return 'case_not_creditable';
  return keepRest(credited.story, order, last, credited.rest);
}

/**
 * Gives money that the bank returned of an unknown payout back to the platform, which bears what had left for it: open
 * cases are repaid first, then those that were written off.
 */
export function creditUnknownPayout(story: Story, found: readonly MoneyCase[], command: DecideCase): Story | Rejection {
  const [returned, another] = found;
  if (!returned || another || returned.kind !== 'payout_returned') return 'case_not_creditable';
  const amount = leftOfCase(returned);
  const out = casesOfUnknownPayout(story.state.cases, returned);
  const isOpen = ({ state }: MoneyCase): boolean => state === 'open';
  const repaid = repayCases(story, out.filter(isOpen), amount);
  const borne = out.filter((one) => !isOpen(one));
  const given = giveBackBorne(repaid.story, borne, { returned: command, amount: repaid.left });
  if (given.left.equals(amount)) return 'case_not_creditable';
  return keepRest(given.story, returned, returned, given.left);
}

/** Credits a completed payout's merchant with at most what did not come back before; null: there is nothing to credit it with. */
function creditReturn(
  story: Story,
  left: Money,
  { found, command }: { found: readonly MoneyCase[]; command: DecideCase },
): { story: Story; rest: Money } | null {
  const { order, state } = story;
  const { merchantId, orderNo, currency } = order;
  const isPaid = order.status === 'completed';
  const most = Money.of(isPaid ? order.amount : '0.00', currency).minus(
    Money.of(isPaid ? state.returned : '0.00', currency),
  );
  const amount = most.isLessThan(left) ? most : left;
  if (amount.isZero() || amount.isNegative()) return { story, rest: left };
  const entry = { type: 'PAYOUT_RETURN', availableChange: amount, remark: remarkOf(found) } as const;
  const credited = story
    .enter({ ...entryOfOrder(order, entry), bookingNo: caseBookingNo(command) })
    ?.post({ merchantId, orderNo, debit: 'suspense', credit: 'available', amount, cause: 'payout_return' });
  if (!credited) return null;
  return { story: amount.equals(most) ? giveFeeBack(credited) : credited, rest: left.minus(amount) };
}

/** All of the payout came back. Its fee is corrected, not undone: the payout stays completed. */
function giveFeeBack(story: Story): Story {
  const { merchantId, orderNo, currency, feeAmount, feeTerms } = story.order;
  const fee = Money.of(feeAmount, currency);
  if (!feeTerms.isRefundable || fee.isZero()) return story;
  const about = { merchantId, entry: 'ADJUSTMENT', bookingNo: `FEE/${orderNo}`, remark: `fee of ${orderNo}` } as const;
  const given = bookEntry(story, { ...about, counter: 'fee_revenue', corrects: orderNo }, fee);
  if (!given) throw new Error(`a credit of ${fee} cannot be refused`);
  return given;
}

/** Credits the wallet without an order, as an adjustment. Its booking number contains the number of the first case. */
export function creditWallet(story: Story, found: readonly MoneyCase[], command: DecideCase): Story | Rejection {
  const { wallet, otherWallet } = story.state;
  if (found.some(isOfPayout)) return 'case_not_creditable';
  const { merchantId } = otherWallet ?? wallet;
  const total = sumOf(found, wallet);
  const credit = {
    merchantId,
    entry: 'ADJUSTMENT',
    remark: remarkOf(found),
    bookingNo: caseBookingNo(command),
  } as const;
  const taken = takeOver(story, found, null);
  const credited = bookEntry(taken, { ...credit, counter: 'suspense', cause: 'suspense_credited' }, total);
  if (!credited) throw new Error(`a credit of ${total} cannot be refused`);
  return credited;
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
  const isTaken = credited.state.payments.some(({ reference }) => reference === found.reference);
  const reference = isTaken ? null : found.reference;
  const about = { merchantId, orderNo, channelId, direction: 'in', reference } as const;
  return credited.recordPayment({ ...about, amount: found.amount, use: 'suspense' });
}

/** Opens a case over the rest of the last case, at the merchant whose order was credited. */
function keepRest(
  story: Story,
  { merchantId, orderNo }: Pick<MoneyCase, 'merchantId' | 'orderNo'>,
  last: MoneyCase,
  rest: Money,
): Story {
  if (rest.isZero()) return story;
  const { channelId, reference } = last;
  const kind = isOfPayout(last) ? last.kind : 'wrong_amount';
  const detail = `${restPrefix}${last.caseNo} over ${last.amount}`;
  const { paymentOrderNo } = last;
  return story.openCase({ merchantId, kind, orderNo, channelId, reference, amount: rest, detail, paymentOrderNo });
}

function isReturnOf(found: MoneyCase, order: Order): boolean {
  return isOfPayout(found) && found.orderNo === order.orderNo && isTerminal(order.status);
}

function sumOf(found: readonly MoneyCase[], { currency }: Pick<Order, 'currency'>): Money {
  return found.reduce((sum, { amount }) => sum.plus(Money.of(amount, currency)), Money.zero(currency));
}

function remarkOf(found: readonly MoneyCase[]): string {
  return `${found.length === 1 ? 'case' : 'cases'} ${found.map(({ caseNo }) => caseNo).join(', ')}`.slice(0, 255);
}
