import type { ChannelAnswer, ChannelPayment } from '../core/channel-answer.ts';
import type { AdjustmentKind, ApplyReport, Command } from '../core/commands.ts';
import type { OrderRef } from '../core/order.ts';
import { makeOrderNo } from '../core/order-number.ts';
import { aNewOrder } from './on-paper.ts';
import { aTopUp } from './payins.ts';
import { isOpen, isOutgoing, type ModelPayout, type PayoutModel } from './payout-movements-model.ts';
import { by } from './payouts.ts';
import type { Chance } from './random-commands.ts';

const never = 3_600_000_000;

/**
 * Any command about payouts of this merchant. Orders, operators and references are few, so that many commands meet the
 * same order.
 */
export function aRandomPayoutCommand(chance: Chance, model: PayoutModel): Command {
  const orders = [...model.payouts.values()];
  // Younger orders are more likely, because most older ones have ended.
  const recent = orders.slice(-12);
  const order = chance.below(4) === 0 ? orders[chance.below(orders.length)] : recent[chance.below(recent.length)];
  const what = chance.below(16);
  if (what < 2 || !order) return aRandomCreate(chance, model);
  if (what === 2) return aRandomBooking(chance, model);
  if (what === 3) return aRandomDecisionOnCase(chance, model);
  const isStray = chance.below(60) === 0;
  const ref = { merchantId: model.merchantId, orderNo: isStray ? 'PO0STRAY' : order.orderNo };
  if (what === 4) return aRandomWork(chance, ref);
  if (what === 5) return aRandomDecision(chance, ref);
  return (order.mode === 'market') === chance.below(10) > 0 ? onTask(chance, ref, order) : aRandomReport(chance, ref);
}

function aRandomCreate(chance: Chance, { merchantId, country }: PayoutModel): Command {
  const bytes = Uint8Array.from({ length: 12 }, () => chance.below(256));
  const order = aNewOrder(country, 'payout', {
    merchantId,
    orderNo: makeOrderNo('payout', merchantId, Date.now(), bytes),
    merchantOrderNo: `M-${chance.below(400)}`,
    mode: country === 'PK' ? chance.pick('market', 'upstream') : 'upstream',
    amount: chance.pick('100.00', '100.00', '100.00', '0.01', '60.00', '999999.99'),
    feeAmount: chance.pick('0.00', '2.50', '0.01'),
    notifyUrl: chance.pick('https://shop.test/n', null),
  });
  return { type: 'createPayout', order };
}

function aRandomBooking(chance: Chance, model: PayoutModel): Command {
  if (chance.below(4) === 0) return aRandomReversal(chance, model);
  const { merchantId } = model;
  const booking = aTopUp(merchantId, `B-${chance.below(400)}`, chance.pick('0.01', '150.00', '2000.00'));
  const entry = chance.pick('TOP_UP', 'TOP_UP', 'SETTLEMENT', 'ADJUSTMENT');
  if (entry === 'TOP_UP') return booking;
  const kind = entry === 'ADJUSTMENT' && { kind: chance.pick<AdjustmentKind>('fee', 'bank', 'dispute') };
  return { ...booking, entry, ...kind, amount: `-${booking.amount}` };
}

/** Of any booking, also of an unknown one or of a reversal. */
function aRandomReversal(chance: Chance, { merchantId, bookings }: PayoutModel): Command {
  const numbers = [...bookings.keys()];
  const reverses = (chance.below(10) > 0 && numbers[chance.below(numbers.length)]) || 'B-NONE';
  const decision = chance.pick(by('ann', 'bob'), by('ann', 'bob'), by('ann'));
  return { type: 'reverseBooking', merchantId, bookingNo: `REVERSAL/${reverses}`, reverses, remark: 'r', by: decision };
}

function aRandomDecisionOnCase(chance: Chance, { merchantId, cases }: PayoutModel): Command {
  // An existing reference, as operators would give it, or an unknown one.
  const caseNo = chance.below(20) === 0 ? 1_000_000 : 1 + chance.below(Math.max(1, cases.length));
  const orderNo = cases[caseNo - 1]?.order.orderNo ?? null;
  const named = { merchantId, caseNo: cases.length === 0 ? 1_000_000 : caseNo, orderNo };
  if (chance.below(5) > 1) return { type: chance.pick('creditCase', 'returnCase'), ...named, by: by('ann') };
  const left = cases.findLastIndex((one) => one.state === 'open' && isOutgoing(one) && !isOpen(one.order));
  const ofEnded = { merchantId, caseNo: left + 1, orderNo: cases[left]?.order.orderNo ?? null };
  const ending = left === -1 || chance.below(4) === 0 ? named : ofEnded;
  const decision = chance.pick(by('ann', 'bob'), by('ann', 'bob'), by('ann'));
  return { type: chance.pick('chargeCase', 'writeOffCase'), ...ending, by: decision };
}

function aRandomWork(chance: Chance, ref: OrderRef): Command {
  return { type: 'claimWork', ref, action: chance.pick('submit', 'poll', 'expire'), lease: chance.pick(0, 0, never) };
}

function aRandomDecision(chance: Chance, ref: OrderRef): Command {
  if (chance.below(2) === 0)
    return {
      type: 'cancelOrder',
      ref,
      confirmedBy: chance.pick('nothing_sent', 'nothing_sent', 'channel'),
      by: by('ann'),
    };
  const decision = chance.pick(by('ann', 'bob'), by('ann'));
  return { type: 'resolvePayout', ref, outcome: chance.pick('paid', 'failed'), evidence: 'seen', by: decision };
}

function onTask(chance: Chance, ref: OrderRef, { claimedBy, proved }: ModelPayout): Command {
  const operator = by(chance.pick('ann', 'bob', claimedBy ?? 'cid'));
  const lease = chance.pick(0, never);
  const proof = { reference: `UTR-${ref.orderNo}-${chance.below(3)}`, payer: 'ann', note: null };
  // Half of the steps follow the usual order. Without that few payouts would reach a final status.
  if (chance.below(2) === 0) {
    if (proved) return { type: chance.pick('acceptProof', 'rejectProof'), ref, lease, by: by('judge') };
    if (claimedBy !== null && chance.below(4) === 0) return { type: 'endClaim', ref, by: by(claimedBy) };
    if (claimedBy !== null) return { type: 'proveTask', ref, proof, by: by(claimedBy) };
    return { type: 'claimTask', ref, lease, by: operator };
  }
  return chance.pick<() => Command>(
    () => ({ type: 'claimTask', ref, lease, by: operator }),
    () => ({ type: 'endClaim', ref, by: operator }),
    () => ({ type: 'endClaim', ref, by: { ...operator, approver: 'zed' } }),
    () => ({ type: 'endClaim', ref, by: null }),
    () => ({ type: 'claimWork', ref, action: 'expire', lease: 0 }),
    () => ({ type: 'proveTask', ref, proof, by: operator }),
    () => ({ type: 'proveTask', ref, proof, by: { ...operator, approver: 'zed' } }),
    () => ({ type: 'acceptProof', ref, lease, by: operator }),
    () => ({ type: 'rejectProof', ref, lease, by: operator }),
  )();
}

function aRandomReport(chance: Chance, ref: OrderRef): ApplyReport {
  const payment = (): ChannelPayment => ({
    reference: chance.pick('P1', 'P1', 'P1', 'P2', 'P3'),
    amount: chance.pick('100.00', '100.00', '100.00', '60.00', '0.01', '99.00'),
  });
  const payments = (): ChannelPayment[] => Array.from({ length: chance.below(3) }, payment);
  const returned = (): ChannelPayment => ({
    // Some channels give a return the reference of its payment.
    reference: chance.pick('R1', 'R1', 'R2', 'P1'),
    amount: chance.pick('100.00', '60.00', '99.00'),
  });
  const answer = chance.pick<() => ChannelAnswer>(
    () => ({ outcome: 'accepted', channelRef: 'C' }),
    () => ({ outcome: 'paid', payments: payments() }),
    () => ({ outcome: 'paid', payments: [{ reference: 'P1', amount: '100.00' }] }),
    () => ({ outcome: 'part_paid', payments: payments() }),
    () => ({ outcome: 'returned', payments: payments(), returned: returned(), reason: 'no such account' }),
    () => ({ outcome: 'failed', reason: 'no' }),
    () => ({ outcome: 'timed_out', reason: 'late', payments: payments() }),
    () => ({ outcome: 'refused', reason: 'no' }),
    () => ({ outcome: 'closed' }),
    () => ({ outcome: 'unknown', why: 'no_answer', detail: 'x' }),
    () => ({ outcome: 'unknown', why: 'not_found', detail: 'x' }),
  )();
  // Endings without payment are rare, so that orders live long enough.
  const isEnd = /failed|timed_out|refused|closed/.test(answer.outcome) && chance.below(3) > 0;
  return {
    type: 'applyReport',
    ref,
    channelId: chance.below(30) === 0 ? 'another' : 'fake',
    answer: isEnd ? { outcome: 'unknown', why: 'no_answer', detail: 'x' } : answer,
    during: chance.pick('callback', 'callback', 'query', 'create', 'expiry'),
  };
}
