import type { Approval } from './approval.ts';
import type { Country } from './country.ts';
import type { NotificationRule } from './notification.ts';
import type { OperatorDay } from './operator.ts';
import type { Order, OrderKind } from './order.ts';
import type { MoneyCase, Payment } from './payment.ts';
import type { FindTransition } from './transitions.ts';
import type { Wallet } from './wallet.ts';

/** The rows that one command is decided on. Never changed: `evolve` gives the state after an event. */
export interface State {
  readonly wallet: Wallet;
  /** The wallet of another merchant, whose rows the command writes too; the order is then that merchant's. */
  readonly otherWallet: Wallet | null;
  readonly order: Order | null;
  /** The payments of the order that the command names. */
  readonly payments: readonly Payment[];
  /** How many transitions the order has. */
  readonly transitionCount: number;
  /** The cases that the command names, and the order's open cases where it needs them (`needsCases`). */
  readonly cases: readonly MoneyCase[];
  /** The approval that the command names. */
  readonly approval: Approval | null;
  /** What the operator who moves money by the command without a second one has moved today (`movesAlone`). */
  readonly operatorDay: OperatorDay | null;
  /** What has the command's merchant order number or booking number already. */
  readonly existing: Existing | null;
}

/** The order that has the new one's merchant order number already, or what was booked under a wallet booking's number. */
export interface Existing {
  readonly orderNo: string;
  readonly booked?: { readonly entry: string; readonly amount: string };
}

/** What countries have of their own that decisions need. */
export interface OrderRules {
  readonly transition: FindTransition;
  /** When, and with which fields, an order's merchant is notified of a status. */
  notificationRule(kind: OrderKind, country: Country): NotificationRule;
}

/** What surrounds a decision: the database's clock, the countries' rules, the scale of all waits. */
export interface Context {
  readonly now: number;
  /** Every wait of polling, retrying and expiry is multiplied by it; 1 but in tests and sandboxes. */
  readonly scheduleScale: number;
  readonly rules: OrderRules;
}

/** The state of a merchant's wallet alone: for commands that name nothing else. */
export function stateOf(wallet: Wallet, more: Partial<State> = {}): State {
  return {
    wallet,
    otherWallet: null,
    order: null,
    payments: [],
    transitionCount: 0,
    cases: [],
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
