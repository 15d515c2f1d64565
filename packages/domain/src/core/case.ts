import { type Circumstances, type Draft, enterWallet, move, post } from './draft.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { operatorActor } from './operator.ts';
import type { DecideCase } from './operator-commands.ts';
import { isOutgoing, type MoneyCase } from './payment.ts';
import type { Rejection } from './rejection.ts';
import { transition } from './transitions.ts';

/** Decides an open case: credits its money to the merchant, or returns it (decisions 5.5; ledger page, "case credited / returned"). */
export function decideCase(draft: Draft, command: DecideCase, on: Circumstances): Rejection | null {
  const found = draft.moneyCase;
  if (!found) return 'case_not_found';
  if (found.state !== 'open') return 'case_closed';
  const refusal = command.type === 'creditCase' ? credit(draft, found, command, on) : giveBack(draft, found, on);
  if (refusal) return refusal;
  found.state = command.type === 'creditCase' ? 'credited' : 'returned';
  found.closedAt = on.now;
  draft.changedCases.push(found);
  return null;
}

function credit(draft: Draft, found: MoneyCase, { by }: DecideCase, on: Circumstances): Rejection | null {
  const { order } = draft;
  if (!order || isOutgoing(found.kind) || found.kind === 'contradiction') return 'case_not_creditable';
  const amount = Money.of(found.amount, order.currency);
  const { currency, orderNo, merchantOrderNo } = order;
  const change = {
    frozenChange: Money.zero(currency),
    orderNo,
    merchantOrderNo,
    remark: `case ${found.caseNo}`,
    bookingNo: null,
  };
  if (found.kind === 'payout_returned' || found.kind === 'payout_underpaid') {
    // What was released is the merchant's already.
    if (order.status !== 'completed' || Money.of(order.amount, currency).isLessThan(amount))
      return 'case_not_creditable';
    if (!enterWallet(draft, { type: 'PAYOUT_RETURN', availableChange: amount, ...change }, on.now))
      return 'case_not_creditable';
    post(draft, 'suspense', 'available', amount, 'payout_return', orderNo, on.now);
    return null;
  }
  // The order completes with what it asked for: money of another sum can only go back.
  const isPayin = order.kind === 'payin' && transition('payin', order.country, order.status, 'case_credited') !== null;
  if (!isPayin || !amount.equals(Money.of(order.amount, currency))) return 'case_not_creditable';
  const net = Money.of(order.netAmount, currency);
  if (!enterWallet(draft, { type: 'PAYIN', availableChange: net, ...change }, on.now)) return 'case_not_creditable';
  post(draft, 'suspense', 'available', net, 'suspense_credited', orderNo, on.now);
  post(draft, 'suspense', 'fee_revenue', Money.of(order.feeAmount, currency), 'payin_fee', orderNo, on.now);
  order.paidAmount = order.amount;
  order.failureReason = null;
  move(draft, order, 'case_credited', { actor: operatorActor(by), detail: `case ${found.caseNo}: ${by.reason}` }, on);
  return null;
}

function giveBack(draft: Draft, found: MoneyCase, on: Circumstances): null {
  if (found.kind === 'contradiction') return null;
  const amount = Money.of(found.amount, draft.wallet.currency);
  const channel = channelAccount(found.channelId);
  // Money that went out by mistake comes back from the channel; all other money goes back to it.
  if (isOutgoing(found.kind)) post(draft, channel, 'suspense', amount, 'suspense_in', found.orderNo, on.now);
  else post(draft, 'suspense', channel, amount, 'suspense_out', found.orderNo, on.now);
  return null;
}
