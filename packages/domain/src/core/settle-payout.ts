import {
  type Circumstances,
  type Draft,
  enterWallet,
  move,
  openCase,
  openCasesOf,
  post,
  recordPayment,
} from './draft.ts';
import { type Account, channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { failureReasonOf } from './notification.ts';
import type { Order } from './order.ts';
import { evidenceReference, isOutgoing } from './payment.ts';
import type { Trigger } from './transitions.ts';

/** Gives the frozen money back, and ends the payout along `trigger`; does nothing where its table has no such row. */
export function releasePayout(
  draft: Draft,
  order: Order,
  trigger: Trigger,
  by: { actor: string; detail?: string },
  on: Circumstances,
): boolean {
  const reasonBefore = order.failureReason;
  order.failureReason = failureReasonOf(trigger);
  if (!move(draft, order, trigger, by, on)) {
    order.failureReason = reasonBefore;
    return false;
  }
  const { currency, orderNo, merchantOrderNo } = order;
  const net = Money.of(order.netAmount, currency);
  const release = {
    availableChange: net,
    frozenChange: net.negated(),
    orderNo,
    merchantOrderNo,
    remark: null,
    bookingNo: null,
  };
  mustEnter(enterWallet(draft, { type: 'PAYOUT_RELEASE', ...release }, on.now), orderNo);
  post(draft, 'frozen', 'available', net, 'payout_release', orderNo, on.now);
  return true;
}

/** Pays the frozen money out: the amount to the channel, the fee to the platform. `trigger` is `paid` or `proof_accepted`. */
export function settlePayout(
  draft: Draft,
  order: Order,
  trigger: 'paid' | 'proof_accepted',
  by: { actor: string; detail?: string },
  on: Circumstances,
): boolean {
  return charge(draft, order, trigger, channelAccount(order.channelId), by, on);
}

/**
 * Pays a payout out that operators saw to be paid. What its channel reported of it in another amount is covered by the frozen money, and
 * what then is left of that waits as a case; where nothing of it is open, the evidence stands for the payment until the channel reports it.
 */
export function settleByEvidence(
  draft: Draft,
  order: Order,
  by: { actor: string; detail?: string },
  on: Circumstances,
): boolean {
  const borne = openCasesOf(draft, order).filter(({ kind }) => isOutgoing(kind));
  if (borne.length === 0) {
    if (!settlePayout(draft, order, 'paid', by, on)) return false;
    recordPayment(draft, { ...order, reference: evidenceReference }, 'evidence', on.now);
    return true;
  }
  if (!charge(draft, order, 'paid', 'suspense', by, on)) return false;
  const { orderNo, channelId, currency } = order;
  let left = Money.of(order.amount, currency);
  for (const found of borne) {
    const amount = Money.of(found.amount, currency);
    Object.assign(found, { state: 'credited', closedAt: on.now });
    draft.changedCases.push(found);
    if (left.isLessThan(amount)) {
      const detail = `left of case ${found.caseNo}: ${amount} was paid`;
      const rest = { orderNo, channelId: found.channelId, reference: found.reference, amount: amount.minus(left) };
      openCase(draft, { kind: 'payout_paid_again', ...rest, detail }, on.now);
      left = Money.zero(currency);
    } else left = left.minus(amount);
  }
  if (!left.isZero()) {
    const detail = `operators saw ${order.amount} paid, the channel reported ${left} less`;
    openCase(draft, { kind: 'payout_underpaid', orderNo, channelId, reference: null, amount: left, detail }, on.now);
  }
  return true;
}

/** Takes the frozen money: the amount goes to `account`, the fee to the platform. */
function charge(
  draft: Draft,
  order: Order,
  trigger: 'paid' | 'proof_accepted',
  account: Account,
  by: { actor: string; detail?: string },
  on: Circumstances,
): boolean {
  if (!move(draft, order, trigger, by, on)) return false;
  const { currency, orderNo, merchantOrderNo } = order;
  order.paidAmount = order.amount;
  const settled = {
    availableChange: Money.zero(currency),
    frozenChange: Money.of(order.netAmount, currency).negated(),
  };
  mustEnter(
    enterWallet(draft, { type: 'PAYOUT', ...settled, orderNo, merchantOrderNo, remark: null, bookingNo: null }, on.now),
    orderNo,
  );
  post(draft, 'frozen', account, Money.of(order.amount, currency), 'payout_settle', orderNo, on.now);
  post(draft, 'frozen', 'fee_revenue', Money.of(order.feeAmount, currency), 'payout_fee', orderNo, on.now);
  return true;
}

function mustEnter(entered: boolean, orderNo: string): void {
  if (!entered) throw new Error(`the wallet holds less frozen than ${orderNo} froze`);
}
