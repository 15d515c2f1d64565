import type { NewOrder } from './commands.ts';
import { evolve, type LedgerEvent, type OrderChanges } from './events.ts';
import type { Transfer } from './ledger.ts';
import { Money } from './money.ts';
import { dueNotification } from './notification.ts';
import type { Order, OrderStatus } from './order.ts';
import { type CaseState, leftOfCase, type MoneyCase, type Payment } from './payment.ts';
import type { Refund } from './refund.ts';
import { type Context, type State, walletOf } from './state.ts';
import type { Transition, Trigger } from './transitions.ts';
import { type EntryInput, makeEntry, nextBatchNo, type Wallet } from './wallet.ts';

/** The actor of a transition, and its description. */
export interface Cause {
  readonly actor: string;
  readonly detail?: string;
}

/**
 * The events of a command so far, and the state after them. Immutable: each step returns a new story that builds on
 * the steps before. A step that may be impossible returns null, and then nothing has happened.
 */
export class Story {
  readonly state: State;
  readonly events: readonly LedgerEvent[];
  readonly context: Context;
  /** The span of the command. */
  readonly #traceparent: string | null;

  private constructor(state: State, events: readonly LedgerEvent[], context: Context, traceparent: string | null) {
    this.state = state;
    this.events = events;
    this.context = context;
    this.#traceparent = traceparent;
  }

  static begin(state: State, { traceparent = null }: { traceparent?: string | null }, context: Context): Story {
    return new Story(state, [], context, traceparent);
  }

  /** The current state of the command's order. */
  get order(): Order {
    if (!this.state.order) throw new Error('the command is about no order');
    return this.state.order;
  }

  /** The database's clock, for what is due, and for what has run out. */
  get now(): number {
    return this.context.now;
  }

  /**
   * The time that is recorded in rows: the database's clock, but never before a row that the merchant has already. A
   * clock that steps back would else put an order's end into a day that is settled, or that the figures have behind them.
   */
  get at(): number {
    const { wallet, otherWallet } = this.state;
    return Math.max(this.now, recordedLast(wallet), otherWallet ? recordedLast(otherWallet) : 0);
  }

  add(event: LedgerEvent): Story {
    return new Story(evolve(this.state, event), [...this.events, event], this.context, this.#traceparent);
  }

  createOrder(
    order: NewOrder,
    next: Pick<Order, 'nextAction' | 'nextActionAt' | 'attempt' | 'expiresAt'>,
    cause: Cause,
  ): Story {
    const created: Order = {
      ...order,
      status: 'created',
      paidAmount: '0.00',
      channelRef: null,
      payLink: null,
      payQr: null,
      task: null,
      failureReason: null,
      contradiction: null,
      nextAction: next.nextAction,
      nextActionAt: next.nextActionAt,
      attempt: next.attempt,
      expiresAt: next.expiresAt,
      createdAt: this.at,
      updatedAt: this.at,
      completedAt: null,
      traceparent: this.#traceparent,
      commandId: null,
      batchNo: nextBatchNo(walletOf(this.state, order.merchantId)),
    };
    const first = this.#transition(created, { from: 'new', to: 'created', trigger: 'created' }, cause);
    return this.add({ type: 'order created', order: created, transition: first });
  }

  /** Changes the fields of the order that differ. */
  changeOrder(changes: OrderChanges): Story {
    const { order } = this;
    const isSame = (Object.keys(changes) as (keyof OrderChanges)[]).every((field) => changes[field] === order[field]);
    if (isSame) return this;
    return this.add({ type: 'order changed', merchantId: order.merchantId, orderNo: order.orderNo, changes });
  }

  /** The status to which `trigger` takes the order; null if that is impossible. */
  statusAfter(trigger: Trigger): OrderStatus | null {
    const { kind, country, status } = this.order;
    return this.context.rules.transition(kind, country, status, trigger);
  }

  /**
   * Applies `trigger` to the order, with the notification of its new status. Null if the transition table has no such
   * row.
   */
  move(trigger: Trigger, cause: Cause): Story | null {
    const { order } = this;
    const to = this.statusAfter(trigger);
    if (to === null) return null;
    const moved = this.add({
      type: 'order moved',
      transition: this.#transition(order, { from: order.status, to, trigger }, cause),
    });
    const rule = this.context.rules.notificationRule(order.kind, order.country);
    const traceparent = this.#traceparent ?? order.traceparent;
    const about = { now: this.now, at: this.at, seq: moved.state.transitionCount, traceparent };
    const notification = dueNotification(moved.order, rule, about);
    return notification ? moved.add({ type: 'notification due', notification }) : moved;
  }

  /** Adds an event to the order's history without a change of its status. */
  note(trigger: Trigger, cause: Cause): Story {
    const { order } = this;
    const noted = this.#transition(order, { from: order.status, to: order.status, trigger }, cause);
    return this.add({ type: 'order moved', transition: noted });
  }

  /** Writes a wallet entry; null if a balance would fall below zero. */
  enter(input: EntryInput): Story | null {
    const entry = makeEntry(walletOf(this.state, input.merchantId), input, this.at);
    return entry && this.add({ type: 'entry made', entry });
  }

  /** Moves a positive amount between two accounts; an amount of zero moves nothing. */
  post({ merchantId, debit, credit, amount, cause, orderNo }: PostInput): Story {
    if (amount.isZero()) return this;
    if (amount.isNegative()) throw new Error(`a transfer's amount is positive, not ${amount}`);
    const wallet = walletOf(this.state, merchantId);
    const transfer = {
      merchantId,
      transferNo: wallet.lastTransferNo + 1,
      debit,
      credit,
      currency: amount.currency,
      amount: amount.toString(),
      cause,
      orderNo,
      createdAt: this.at,
      batchNo: nextBatchNo(wallet),
    };
    return this.add({ type: 'transfer posted', transfer });
  }

  /** Stores a payment under its direction and the channel's reference, so that it is booked once. */
  recordPayment({ merchantId, orderNo, direction, reference, ...input }: PaymentInput): Story {
    const { channelId, amount, use, line = null } = input;
    const wallet = walletOf(this.state, merchantId);
    const own = this.state.payments.filter((one) => one.merchantId === merchantId && one.orderNo === orderNo);
    const payment = {
      merchantId,
      orderNo,
      seq: Math.max(0, ...own.map(({ seq }) => seq)) + 1,
      direction,
      reference,
      channelId,
      amount: Money.of(amount, wallet.currency).toString(),
      use,
      line,
      receivedAt: this.at,
      batchNo: nextBatchNo(wallet),
    };
    return this.add({ type: 'payment recorded', payment });
  }

  /** `paymentOrderNo`: as the channel knows it; default: the case's order. */
  openCase(input: CaseInput): Story {
    const { merchantId, kind, orderNo, channelId, reference, amount, detail, paymentOrderNo = orderNo } = input;
    const wallet = walletOf(this.state, merchantId);
    const opened: MoneyCase = {
      merchantId,
      caseNo: wallet.lastCaseNo + 1,
      kind,
      state: 'open',
      orderNo,
      channelId,
      reference,
      currency: amount.currency,
      amount: amount.toString(),
      detail,
      openedAt: this.at,
      closedAt: null,
      refundNo: null,
      cameBack: '0.00',
      paymentOrderNo,
      batchNo: nextBatchNo(wallet),
    };
    return this.add({ type: 'case opened', opened });
  }

  closeCase(found: MoneyCase, state: Exclude<CaseState, 'open'>): Story {
    return this.add({ type: 'case closed', closed: { ...found, state, closedAt: this.at } });
  }

  /** A part of the money that left came back, at most what is still out. */
  repayCase(found: MoneyCase, part: Money): Story {
    const left = leftOfCase(found).minus(part);
    if (left.isNegative()) throw new Error(`case ${found.caseNo} has less than ${part} out`);
    const cameBack = Money.of(found.cameBack, part.currency).plus(part).toString();
    const repaid = { ...found, cameBack };
    const told = this.add({ type: 'case repaid', repaid, part: part.toString() });
    return found.state === 'open' && left.isZero() ? told.closeCase(repaid, 'returned') : told;
  }

  /** Reserves an open case for a refund, or with null frees it for another decision. */
  reserveCase(found: MoneyCase, refundNo: string | null): Story {
    return this.add({ type: 'case reserved', reserved: { ...found, refundNo } });
  }

  changeRefund(refund: Refund, changes: Partial<Refund>): Story {
    return this.add({ type: 'refund changed', refund: { ...refund, ...changes, updatedAt: this.at } });
  }

  #transition(
    { merchantId, orderNo }: Pick<Order, 'merchantId' | 'orderNo'>,
    { from, to, trigger }: Pick<Transition, 'from' | 'to' | 'trigger'>,
    { actor, detail }: Cause,
  ): Transition {
    return {
      merchantId,
      orderNo,
      seq: this.state.transitionCount + 1,
      from,
      to,
      trigger,
      actor,
      detail: detail ?? null,
      at: this.at,
      batchNo: nextBatchNo(walletOf(this.state, merchantId)),
    };
  }
}

/** A wallet without entries has only the time of its creation. */
function recordedLast({ recordedAt, updatedAt }: Wallet): number {
  return Math.max(recordedAt, updatedAt);
}

type PostInput = Pick<Transfer, 'merchantId' | 'debit' | 'credit' | 'cause' | 'orderNo'> & { amount: Money };
type PaymentInput = Omit<Payment, 'seq' | 'line' | 'receivedAt' | 'batchNo'> & { line?: string | null };
type CaseInput = Pick<MoneyCase, 'merchantId' | 'kind' | 'orderNo' | 'channelId' | 'reference' | 'detail'> & {
  amount: Money;
  paymentOrderNo?: string | null;
};
