import type { Approval } from './approval.ts';
import type { Country } from './country.ts';
import type { NotificationRule } from './notification.ts';
import type { OperatorDay } from './operator.ts';
import type { Order, OrderKind } from './order.ts';
import type { MoneyCase, Payment } from './payment.ts';
import type { Refund } from './refund.ts';
import type { Settlement } from './settlement.ts';
import type { FindTransition } from './transitions.ts';
import type { Wallet } from './wallet.ts';

/** The rows that a command is decided on. Immutable: `evolve` returns the state after an event. */
export interface State {
  readonly wallet: Wallet;
  /** The wallet of another merchant whose rows the command writes too. Then the order belongs to that merchant. */
  readonly otherWallet: Wallet | null;
  readonly order: Order | null;
  /** The payments of the order that the command names. */
  readonly payments: readonly Payment[];
  /** How many transitions the order has. */
  readonly transitionCount: number;
  /** The cases of the command, and the order's open cases if it needs them (`needsCases`). */
  readonly cases: readonly MoneyCase[];
  /** The refund that the command names. */
  readonly refund: Refund | null;
  /** The settlement that the command names. */
  readonly settlement: Settlement | null;
  /**
   * Money that came into the wallet after the entries that an approval of this draft has summed up, as decimal text.
   * Null: too many entries to read.
   */
  readonly creditedSince: string | null;
  /** The approval that the command names. */
  readonly approval: Approval | null;
  /** The amount that the operator has moved today without a second operator (`operatorActingAlone`). */
  readonly operatorDay: OperatorDay | null;
  /** The existing row with the command's merchant order number or booking number. */
  readonly existing: Existing | null;
}

/** The existing order with the same merchant order number, or the existing booking with the same number. */
export interface Existing {
  readonly orderNo: string;
  readonly booked?: { readonly entry: string; readonly amount: string };
}

/** The rules of countries that decisions need. */
export interface OrderRules {
  readonly transition: FindTransition;
  /** When, and with which fields, an order's merchant is notified of a status. */
  notificationRule(kind: OrderKind, country: Country): NotificationRule;
}

/** The context of a decision: the database's clock, the countries' rules, the scale of all waits. */
export interface Context {
  readonly now: number;
  /** Every wait of polling, retrying and expiry is multiplied by it; 1 except in tests and sandboxes. */
  readonly scheduleScale: number;
  readonly rules: OrderRules;
}

/** The state with a merchant's wallet alone, for commands that refer to nothing else. */
export function stateOf(wallet: Wallet, more: Partial<State> = {}): State {
  return {
    wallet,
    otherWallet: null,
    order: null,
    payments: [],
    transitionCount: 0,
    cases: [],
    refund: null,
    settlement: null,
    creditedSince: '0.00',
    approval: null,
    operatorDay: null,
    existing: null,
    ...more,
  };
}

/** The wallet of a merchant whose rows the command writes. */
export function walletOf({ wallet, otherWallet }: State, merchantId: string): Wallet {
  if (wallet.merchantId === merchantId) return wallet;
  if (otherWallet?.merchantId === merchantId) return otherWallet;
  throw new Error(`the wallet of ${merchantId} was not loaded`);
}

/** The order's open cases, the oldest first. */
export function openCasesOf({ cases }: State, { merchantId, orderNo }: Order): MoneyCase[] {
  return cases
    .filter((found) => found.merchantId === merchantId && found.orderNo === orderNo && found.state === 'open')
    .sort((a, b) => a.caseNo - b.caseNo);
}
