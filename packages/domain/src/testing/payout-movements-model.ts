import type { OrderStatus } from '../core/order.ts';
import { cents } from './ledger-model.ts';

// The state of the payout model, and the money that channels move.

export interface ModelPayout {
  orderNo: string;
  mode: 'upstream' | 'market';
  status: OrderStatus;
  total: number;
  net: number;
  /** Outgoing and returned payments, by reference. */
  out: Map<string, number>;
  back: Map<string, number>;
  /** Whether a channel's own payment settled it, or evidence of operators. */
  paidByChannel: boolean;
  evidence: boolean;
  disputed: boolean;
  claimedBy: string | null;
  proved: boolean;
  /** The reference of the last proof that was not rejected. */
  proofRef: string | null;
  /** Whether the claim ran out, and its operator did not answer yet. */
  asked: boolean;
  claimants: Set<string>;
  next: 'submit' | 'poll' | 'expire' | null;
  isDue: boolean;
  tries: number;
  /** What the bank returned and the merchant was credited with. */
  returned: number;
}

export interface ModelCase {
  kind: 'payout_returned' | 'payout_paid_again' | 'payout_wrong_amount' | 'payout_underpaid' | 'contradiction';
  order: ModelPayout;
  amount: number;
  /** What of money that left came back. */
  cameBack: number;
  state: 'open' | 'credited' | 'returned' | 'charged' | 'written_off';
}

export interface PayoutModel {
  merchantId: string;
  country: 'IN' | 'PK';
  available: number;
  frozen: number;
  /** Signed: money in suspense, less what was paid out by mistake. */
  suspense: number;
  payouts: Map<string, ModelPayout>;
  merchantOrderNos: Map<string, string>;
  /** The bookings by booking number. */
  bookings: Map<string, string>;
  cases: ModelCase[];
  decisions: number;
}

export const isOutgoing = ({ kind }: ModelCase): boolean =>
  kind === 'payout_paid_again' || kind === 'payout_wrong_amount';
/** What is still out. */
export const leftOfCase = ({ amount, cameBack }: ModelCase): number => amount - cameBack;
export const isOpen = ({ status }: ModelPayout): boolean =>
  ['created', 'processing', 'market_available'].includes(status);

export function end(order: ModelPayout, status: OrderStatus): string {
  Object.assign(order, { status, next: null, isDue: false, tries: 0 });
  return 'ok';
}

export function settle(model: PayoutModel, order: ModelPayout): string {
  model.frozen -= order.net;
  return end(order, 'completed');
}

export function open(model: PayoutModel, order: ModelPayout, kind: ModelCase['kind'], amount: number): void {
  model.cases.push({ kind, order, amount, cameBack: 0, state: 'open' });
}

export function dispute(model: PayoutModel, order: ModelPayout): void {
  if (!order.disputed) open(model, order, 'contradiction', order.total);
  order.disputed = true;
}

interface ReportedPayment {
  reference: string;
  amount: string;
}

/** Outgoing money is booked once: as the requested payment, as the payment of the evidence, or as a case. */
export function takePayments(model: PayoutModel, order: ModelPayout, reported: readonly ReportedPayment[]): void {
  const fresh = reported.filter(({ reference }) => !order.out.has(reference));
  const expected = fresh.find(({ amount }) => cents(amount) === order.total);
  const seen = expected ?? fresh[0];
  if (order.status === 'completed' && order.evidence && !order.paidByChannel && seen) {
    order.paidByChannel = true;
    order.out.set(seen.reference, cents(seen.amount));
    const less = order.total - cents(seen.amount);
    model.suspense += less;
    if (less !== 0) open(model, order, less > 0 ? 'payout_underpaid' : 'payout_paid_again', Math.abs(less));
  } else if (expected && isOpen(order) && order.mode === 'upstream') {
    settle(model, order);
    order.paidByChannel = true;
    order.out.set(expected.reference, cents(expected.amount));
  }
  for (const { reference, amount } of reported) {
    const known = order.out.get(reference);
    if (known !== undefined && known !== cents(amount)) dispute(model, order);
    if (known !== undefined) continue;
    order.out.set(reference, cents(amount));
    model.suspense -= cents(amount);
    const isWrong = isOpen(order) && order.mode === 'upstream';
    open(model, order, isWrong ? 'payout_wrong_amount' : 'payout_paid_again', cents(amount));
  }
}

/** Returned money is booked once. On a payout that is not completed it repays open cases of outgoing money: that of its amount first. */
export function takeReturned(model: PayoutModel, order: ModelPayout, { reference, amount }: ReportedPayment): void {
  const known = order.back.get(reference);
  if (known !== undefined && known !== cents(amount)) dispute(model, order);
  if (known !== undefined) return;
  order.back.set(reference, cents(amount));
  model.suspense += cents(amount);
  const isIts = (one: ModelCase): boolean => one.order === order && one.state === 'open' && isOutgoing(one);
  const borne = order.status === 'completed' ? [] : model.cases.filter(isIts);
  const isWhole = (one: ModelCase): boolean => leftOfCase(one) === cents(amount);
  const rest = repay([...borne.filter(isWhole), ...borne.filter((one) => !isWhole(one))], cents(amount));
  if (rest > 0) open(model, order, 'payout_returned', rest);
}

/** What is left of an amount after these cases were repaid with it. Tells of each part. */
export function repay(
  found: readonly ModelCase[],
  amount: number,
  tell: (one: ModelCase, part: number) => void = () => undefined,
): number {
  let rest = amount;
  for (const one of found) {
    const part = Math.min(rest, leftOfCase(one));
    one.cameBack += part;
    rest -= part;
    if (part > 0) tell(one, part);
    if (one.state === 'open' && leftOfCase(one) === 0) one.state = 'returned';
  }
  return rest;
}
