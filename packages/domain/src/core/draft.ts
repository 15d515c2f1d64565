import type { Approval } from './approval.ts';
import type { Country } from './country.ts';
import type { Account, Transfer, TransferCause } from './ledger.ts';
import { Money } from './money.ts';
import { hostOf, type Notification, type NotificationRule, notificationBody } from './notification.ts';
import type { AuditRecord } from './operator.ts';
import { isTerminal, type Order, type OrderKind, type OrderStatus } from './order.ts';
import type { CaseKind, MoneyCase, Payment, PaymentUse } from './payment.ts';
import { type Trigger, transition } from './transitions.ts';
import { type EntryInput, enter, type Wallet, type WalletEntry } from './wallet.ts';

/** A change of an order's status, kept for ever. */
export interface Transition {
  merchantId: string;
  orderNo: string;
  /** 1, 2, 3 … within the order. */
  seq: number;
  from: OrderStatus | 'new';
  to: OrderStatus;
  trigger: Trigger;
  actor: string;
  detail: string | null;
  at: number;
  /** The link of the merchant's ledger chain that covers it; null: written before there was one. */
  batchNo: number | null;
}

/** What a batch adds to the append-only tables. */
export interface Additions {
  transitions: Transition[];
  entries: WalletEntry[];
  transfers: Transfer[];
  payments: Payment[];
  cases: MoneyCase[];
  notifications: Notification[];
  audits: AuditRecord[];
}

export function noAdditions(): Additions {
  return { transitions: [], entries: [], transfers: [], payments: [], cases: [], notifications: [], audits: [] };
}

/** What surrounds a decision: the database's clock, the countries' notification rules, the scale of all waits. */
export interface Circumstances {
  now: number;
  /** Every wait of polling, retrying and expiry is multiplied by it; 1 but in tests and sandboxes. */
  scheduleScale: number;
  notificationRule(kind: OrderKind, country: Country): NotificationRule;
}

/**
 * The state that one command works on, and what it adds. `decide` functions refuse before they change anything,
 * so a refused command leaves its draft untouched.
 */
export interface Draft {
  wallet: Wallet;
  order: Order | null;
  payments: Payment[];
  /** How many transitions the order has. */
  transitionCount: number;
  added: Additions;
  /** The wallet of another merchant, whose rows the command writes too; the order is then that merchant's. */
  otherWallet: Wallet | null;
  /** The cases that the command names, and the order's open cases where it needs them (`needsCases`). */
  cases: readonly MoneyCase[];
  /** Cases that were decided. */
  changedCases: MoneyCase[];
  /** The approval that the command names. */
  approval: Approval | null;
  /** Approvals that were used up. */
  changedApprovals: Approval[];
  /** The span in which the command is given. */
  traceparent: string | null;
}

/** The link of the merchant's ledger chain that will cover what this transaction adds. */
export function nextBatchNo({ wallet }: Pick<Draft, 'wallet'>): number {
  return wallet.lastBatchNo + 1;
}

/** Takes the order along `trigger`, if its table has that row; tells whether it did. Writes the notification that the status calls for. */
export function move(
  draft: Draft,
  order: Order,
  trigger: Trigger,
  by: { actor: string; detail?: string },
  on: Circumstances,
): boolean {
  const to = transition(order.kind, order.country, order.status, trigger);
  if (to === null) return false;
  recordTransition(draft, order, order.status, to, trigger, by, on.now);
  order.status = to;
  order.updatedAt = on.now;
  if (isTerminal(to)) {
    order.nextAction = null;
    order.nextActionAt = null;
    order.attempt = 0;
  }
  if (to === 'completed') order.completedAt = on.now;
  notify(draft, order, on);
  return true;
}

export function recordTransition(
  draft: Draft,
  order: Order,
  from: OrderStatus | 'new',
  to: OrderStatus,
  trigger: Trigger,
  by: { actor: string; detail?: string },
  now: number,
): void {
  draft.transitionCount += 1;
  draft.added.transitions.push({
    merchantId: order.merchantId,
    orderNo: order.orderNo,
    seq: draft.transitionCount,
    from,
    to,
    trigger,
    actor: by.actor,
    detail: by.detail ?? null,
    at: now,
    batchNo: nextBatchNo(draft),
  });
}

/** Moves a positive amount between two accounts; an amount of zero moves nothing. */
export function post(
  draft: Draft,
  debit: Account,
  credit: Account,
  amount: Money,
  cause: TransferCause,
  orderNo: string | null,
  now: number,
): void {
  if (amount.isZero()) return;
  if (amount.isNegative()) throw new Error(`a transfer's amount is positive, not ${amount}`);
  const transferNo = draft.wallet.lastTransferNo + 1;
  draft.wallet = { ...draft.wallet, lastTransferNo: transferNo };
  draft.added.transfers.push({
    merchantId: draft.wallet.merchantId,
    transferNo,
    debit,
    credit,
    currency: amount.currency,
    amount: amount.toString(),
    cause,
    orderNo,
    createdAt: now,
    batchNo: nextBatchNo(draft),
  });
}

/** Keeps a payment that a channel told of, under the channel's reference, so that it is booked once. */
export function recordPayment(
  draft: Draft,
  told: Pick<Payment, 'merchantId' | 'orderNo' | 'channelId' | 'reference' | 'amount'>,
  use: PaymentUse,
  now: number,
): void {
  const { merchantId, orderNo, channelId, reference } = told;
  const amount = Money.of(told.amount, draft.wallet.currency).toString();
  const batchNo = nextBatchNo(draft);
  const payment = { merchantId, orderNo, reference, channelId, amount, use, receivedAt: now, batchNo };
  draft.payments.push(payment);
  draft.added.payments.push(payment);
}

/** Writes a wallet entry; false, and nothing is changed, if a balance would fall below zero. */
export function enterWallet(draft: Draft, input: EntryInput, now: number): boolean {
  const entered = enter(draft.wallet, input, now);
  if (!entered) return false;
  draft.wallet = entered.wallet;
  draft.added.entries.push(entered.entry);
  return true;
}

export function openCase(
  draft: Draft,
  input: {
    kind: CaseKind;
    orderNo: string | null;
    channelId: string;
    reference: string | null;
    amount: Money;
    detail: string;
  },
  now: number,
): void {
  const caseNo = draft.wallet.lastCaseNo + 1;
  draft.wallet = { ...draft.wallet, lastCaseNo: caseNo };
  draft.added.cases.push({
    merchantId: draft.wallet.merchantId,
    caseNo,
    kind: input.kind,
    state: 'open',
    orderNo: input.orderNo,
    channelId: input.channelId,
    reference: input.reference,
    currency: input.amount.currency,
    amount: input.amount.toString(),
    detail: input.detail,
    openedAt: now,
    closedAt: null,
    batchNo: nextBatchNo(draft),
  });
}

/** The order's open cases, also those that this batch has opened, the oldest first. */
export function openCasesOf(draft: Draft, { merchantId, orderNo }: Order): MoneyCase[] {
  return [...new Set([...draft.cases, ...draft.added.cases])]
    .filter((found) => found.merchantId === merchantId && found.orderNo === orderNo && found.state === 'open')
    .sort((a, b) => a.caseNo - b.caseNo);
}

function notify(draft: Draft, order: Order, on: Circumstances): void {
  const rule = on.notificationRule(order.kind, order.country);
  if (order.notifyUrl === null || !rule.statuses.includes(order.status)) return;
  draft.added.notifications.push({
    merchantId: order.merchantId,
    orderNo: order.orderNo,
    status: order.status,
    url: order.notifyUrl,
    body: notificationBody(order, rule),
    state: 'pending',
    attempt: 0,
    nextAttemptAt: on.now,
    createdAt: on.now,
    deliveredAt: null,
    host: hostOf(order.notifyUrl),
    heldBy: null,
    seq: draft.transitionCount,
    isRepeat: false,
    traceparent: draft.traceparent ?? order.traceparent,
    earlierAttempts: 0,
  });
}
