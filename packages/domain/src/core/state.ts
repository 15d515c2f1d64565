import type { Approval } from './approval.ts';
import type { Country } from './country.ts';
import type { Account } from './ledger.ts';
import type { NotificationRule } from './notification.ts';
import type { OperatorDay } from './operator.ts';
import type { Order, OrderKind } from './order.ts';
import { leftOfCase, type MoneyCase, type Payment } from './payment.ts';
import type { Refund } from './refund.ts';
import type { Settlement } from './settlement.ts';
import type { FindTransition } from './transitions.ts';
import type { Wallet } from './wallet.ts';

/** The order that the command names, and what is known of it. */
export interface OrderState {
  readonly order: Order | null;
  /** The payments of the order. */
  readonly payments: readonly Payment[];
  /** How many transitions the order has. */
  readonly transitionCount: number;
  /** The actors who have claimed the order's task so far, as its history names them. Read only for proofs. */
  readonly claimants: readonly string[];
  /** What the bank returned of the order and its merchant was credited with, as decimal text. Read only to credit cases. */
  readonly returned: string;
}

/** The numbers that the command would use or take back. */
export interface BookingState {
  /** The existing row with the command's merchant order number or booking number. */
  readonly existing: Existing | null;
  /** The booking that the command takes back. */
  readonly reversed: Existing | null;
  /** Whether the booking with the command's number was taken back. */
  readonly isTakenBack: boolean;
}

export interface CaseState {
  /** The cases of the command, and if it needs them (`needsCases`) the order's open cases, and those that can still be given back. */
  readonly cases: readonly MoneyCase[];
}

export interface RefundState {
  /** The refund that the command names. */
  readonly refund: Refund | null;
}

/** The settlement that the command names. */
export interface SettlementState {
  readonly settlement: Settlement | null;
  /**
   * Money that came into the wallet after the entries that an approval of this draft has summed up, as decimal text.
   * Null: too many entries to read.
   */
  readonly creditedSince: string | null;
  /** Whether the bank file of the settlement was downloaded, so that the bank may have it. */
  readonly isFileOut: boolean;
}

export interface ApprovalState {
  /** The approval that the command names. */
  readonly approval: Approval | null;
  /** The approval of another request about the same subject that waits for its second operator. */
  readonly waiting: Approval | null;
}

/** What may stop a command, whatever it is about. */
export interface LimitState {
  /** The amount that the operator has moved today without a second operator (`operatorActingAlone`). */
  readonly operatorDay: OperatorDay | null;
  /** Whether the payouts of the wallet's merchant are stopped. Read only for commands that may send money (`maySendMoney`). */
  readonly payoutsStopped: boolean;
}

/** The rows that a command is decided on, by aggregate. Immutable: `evolve` returns the state after an event. */
export interface State
  extends OrderState,
    BookingState,
    CaseState,
    RefundState,
    SettlementState,
    ApprovalState,
    LimitState {
  readonly wallet: Wallet;
  /** The wallet of another merchant whose rows the command writes too. Then the order belongs to that merchant. */
  readonly otherWallet: Wallet | null;
}

/** The existing order with the same merchant order number, or the existing booking with the same number. */
export interface Existing {
  readonly orderNo: string;
  readonly booked?: { readonly entry: string; readonly amount: string; readonly counter: Account | null };
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
    claimants: [],
    returned: '0.00',
    transitionCount: 0,
    cases: [],
    refund: null,
    settlement: null,
    creditedSince: '0.00',
    isFileOut: false,
    approval: null,
    waiting: null,
    operatorDay: null,
    payoutsStopped: false,
    existing: null,
    reversed: null,
    isTakenBack: false,
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
export const openCasesOf = (state: State, order: Order): MoneyCase[] =>
  casesOf(state, order).filter((found) => found.state === 'open');

/** The order's cases over money that left and that somebody bears, of which a part may still come back. The oldest first. */
export const borneCasesOf = (state: State, order: Order): MoneyCase[] =>
  casesOf(state, order).filter((found) => isBorne(found) && !leftOfCase(found).isZero());

const isBorne = ({ state }: MoneyCase): boolean => state === 'charged' || state === 'written_off';

function casesOf({ cases }: State, { merchantId, orderNo }: Order): MoneyCase[] {
  const own = cases.filter((found) => found.merchantId === merchantId && found.orderNo === orderNo);
  return own.sort((a, b) => a.caseNo - b.caseNo);
}
