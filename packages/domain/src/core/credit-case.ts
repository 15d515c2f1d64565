import { type Circumstances, type Draft, enterWallet, move, openCase, post, recordPayment } from './draft.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { operatorActor } from './operator.ts';
import type { DecideCase } from './operator-commands.ts';
import type { Order } from './order.ts';
import type { MoneyCase } from './payment.ts';
import type { Rejection } from './rejection.ts';
import { transition } from './transitions.ts';

// What crediting cases does. Each function refuses before it changes anything.

/** Completes an ended payin with the cases' money, in the order in which they are named; what is left of the last one is a case of its own. */
export function creditOrder(
  draft: Draft,
  order: Order,
  found: readonly MoneyCase[],
  { by }: DecideCase,
  on: Circumstances,
): Rejection | null {
  const { currency, orderNo, merchantOrderNo, amount } = order;
  if (transition('payin', order.country, order.status, 'case_credited') === null) return 'case_not_creditable';
  const isPayout = ({ kind }: MoneyCase): boolean => kind === 'payout_returned' || kind === 'payout_underpaid';
  if (found.some(isPayout)) return 'case_not_creditable';
  // The same payment was reported for the order as well: its money is there once.
  if (draft.otherWallet && found.some((one) => draft.payments.some(({ reference }) => reference === referenceOf(one))))
    return 'case_not_creditable';
  const rest = sumOf(found, order).minus(Money.of(amount, currency));
  const last = found.at(-1);
  // Each of them has to be needed.
  if (rest.isNegative() || !last || !rest.isLessThan(Money.of(last.amount, currency))) return 'case_not_creditable';
  const target = takeOver(draft, found, orderNo, on);
  const net = Money.of(order.netAmount, currency);
  const entry = { orderNo, merchantOrderNo, remark: remarkOf(found), bookingNo: null } as const;
  const change = { availableChange: net, frozenChange: Money.zero(currency) };
  if (!enterWallet(target, { type: 'PAYIN', ...change, ...entry }, on.now))
    throw new Error(`a credit of ${net} cannot be refused`);
  post(target, 'suspense', 'available', net, 'suspense_credited', orderNo, on.now);
  post(target, 'suspense', 'fee_revenue', Money.of(order.feeAmount, currency), 'payin_fee', orderNo, on.now);
  order.paidAmount = amount;
  order.failureReason = null;
  const detail = `${remarkOf(found)}: ${by.reason}`;
  move(target, order, 'case_credited', { actor: operatorActor(by), detail }, on);
  keepRest(target, last, rest, orderNo, on);
  handBack(draft, target);
  return null;
}

/** Gives a completed payout's merchant what did not reach the payee, at most the payout's amount. */
export function creditPayout(
  draft: Draft,
  order: Order,
  found: readonly MoneyCase[],
  on: Circumstances,
): Rejection | null {
  const { currency, orderNo, merchantOrderNo } = order;
  // What was released is the merchant's already.
  if (draft.otherWallet || !found.every((one) => isReturnOf(one, order))) return 'case_not_creditable';
  const total = sumOf(found, order);
  const most = Money.of(order.amount, currency);
  const credited = most.isLessThan(total) ? most : total;
  const last = found.at(-1);
  const rest = total.minus(credited);
  if (!last || !rest.isLessThan(Money.of(last.amount, currency))) return 'case_not_creditable';
  const entry = { orderNo, merchantOrderNo, remark: remarkOf(found), bookingNo: null } as const;
  const change = { availableChange: credited, frozenChange: Money.zero(currency) };
  if (!enterWallet(draft, { type: 'PAYOUT_RETURN', ...change, ...entry }, on.now)) return 'case_not_creditable';
  post(draft, 'suspense', 'available', credited, 'payout_return', orderNo, on.now);
  keepRest(draft, last, rest, orderNo, on);
  return null;
}

/** Credits the wallet itself, without an order: an adjustment, whose booking number names the first case. */
export function creditWallet(
  draft: Draft,
  found: readonly MoneyCase[],
  { merchantId, caseNo }: DecideCase,
  on: Circumstances,
): Rejection | null {
  const { order } = draft;
  const isPayout = ({ kind }: MoneyCase): boolean => kind === 'payout_returned' || kind === 'payout_underpaid';
  if (found.some((one) => isPayout(one) && !(order && isReturnOf(one, order)))) return 'case_not_creditable';
  const total = sumOf(found, draft.wallet);
  const target = takeOver(draft, found, null, on);
  const entry = { orderNo: null, merchantOrderNo: null, remark: remarkOf(found) } as const;
  const change = { availableChange: total, frozenChange: Money.zero(total.currency) };
  const bookingNo = `CASE/${merchantId}/${caseNo}`;
  if (!enterWallet(target, { type: 'ADJUSTMENT', ...change, ...entry, bookingNo }, on.now))
    throw new Error(`a credit of ${total} cannot be refused`);
  post(target, 'suspense', 'available', total, 'suspense_credited', null, on.now);
  handBack(draft, target);
  return null;
}

/** The draft whose wallet is credited. Money of the platform's goes there first: out of its suspense, and into the merchant's. */
function takeOver(draft: Draft, found: readonly MoneyCase[], orderNo: string | null, on: Circumstances): Draft {
  if (!draft.otherWallet) return draft;
  const target = { ...draft, wallet: draft.otherWallet };
  for (const one of found) {
    const { channelId, amount } = one;
    const channel = channelAccount(channelId);
    const money = Money.of(amount, draft.wallet.currency);
    post(draft, 'suspense', channel, money, 'suspense_out', null, on.now);
    post(target, channel, 'suspense', money, 'suspense_in', orderNo, on.now);
    if (orderNo === null) continue;
    const { merchantId } = target.wallet;
    // A reference is unique within its order, and the cases may be of several.
    const isTaken = target.payments.some(({ reference }) => reference === referenceOf(one));
    const reference = isTaken ? `case ${one.caseNo} of ${one.merchantId}` : referenceOf(one);
    recordPayment(target, { merchantId, orderNo, channelId, amount, reference }, 'suspense', on.now);
  }
  return target;
}

function handBack(draft: Draft, target: Draft): void {
  if (target === draft) return;
  draft.otherWallet = target.wallet;
  draft.transitionCount = target.transitionCount;
}

function keepRest(draft: Draft, last: MoneyCase, rest: Money, orderNo: string, on: Circumstances): void {
  if (rest.isZero()) return;
  const { channelId, reference, caseNo, amount } = last;
  const kind = last.kind === 'payout_returned' || last.kind === 'payout_underpaid' ? last.kind : 'wrong_amount';
  const detail = `left of case ${caseNo} over ${amount}`;
  openCase(draft, { kind, orderNo, channelId, reference, amount: rest, detail }, on.now);
}

function isReturnOf({ kind, orderNo }: MoneyCase, order: Order): boolean {
  const isReturn = kind === 'payout_returned' || kind === 'payout_underpaid';
  return isReturn && orderNo === order.orderNo && order.status === 'completed';
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
