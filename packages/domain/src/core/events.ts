import type { Approval } from './approval.ts';
import type { Transfer } from './ledger.ts';
import { signedSum } from './money.ts';
import type { Notification } from './notification.ts';
import type { AuditRecord, OperatorDay } from './operator.ts';
import { isTerminal, type Order } from './order.ts';
import type { CaseState, MoneyCase, Payment } from './payment.ts';
import type { Refund } from './refund.ts';
import type { Settlement } from './settlement.ts';
import { type State, walletOf } from './state.ts';
import type { Transition } from './transitions.ts';
import type { Wallet, WalletEntry } from './wallet.ts';

/** An event of a command. The ledger writer turns it into rows, `evolve` into the next state. */
export type LedgerEvent =
  | { readonly type: 'order created'; readonly order: Order; readonly transition: Transition }
  /** A row of the transition table, or `rerouted`, which keeps the status. */
  | { readonly type: 'order moved'; readonly transition: Transition }
  | {
      readonly type: 'order changed';
      readonly merchantId: string;
      readonly orderNo: string;
      readonly changes: OrderChanges;
    }
  | { readonly type: 'entry made'; readonly entry: WalletEntry }
  | { readonly type: 'transfer posted'; readonly transfer: Transfer }
  | { readonly type: 'payment recorded'; readonly payment: Payment }
  | { readonly type: 'case opened'; readonly opened: MoneyCase }
  | { readonly type: 'case closed'; readonly closed: MoneyCase & { readonly state: Exclude<CaseState, 'open'> } }
  /** Reserved for a refund, or freed again (`refundNo` is null). It stays open. */
  | { readonly type: 'case reserved'; readonly reserved: MoneyCase }
  /** Money that had left came back, as `part`. */
  | { readonly type: 'case repaid'; readonly repaid: MoneyCase; readonly part: string }
  | { readonly type: 'refund requested'; readonly refund: Refund }
  | { readonly type: 'refund changed'; readonly refund: Refund }
  /** A settlement that was drafted or changed, with its new values. */
  | { readonly type: 'settlement written'; readonly settlement: Settlement }
  | { readonly type: 'notification due'; readonly notification: Notification }
  | { readonly type: 'audit recorded'; readonly record: AuditRecord }
  /** `secrets` of its input, sealed. */
  | { readonly type: 'approval requested'; readonly approval: Approval; readonly secrets: string | null }
  /** Executed, or closed without effect. */
  | { readonly type: 'approval decided'; readonly approval: Approval }
  /** What an operator has moved today without a second one, this command included. */
  | { readonly type: 'limit used'; readonly day: OperatorDay };

/** The fields of an order that may change, except its status. */
export type OrderChanges = Partial<
  Pick<
    Order,
    | 'paidAmount'
    | 'channelId'
    | 'channelBankCode'
    | 'channelRef'
    | 'payLink'
    | 'payQr'
    | 'task'
    | 'failureReason'
    | 'contradiction'
    | 'nextAction'
    | 'nextActionAt'
    | 'attempt'
    | 'updatedAt'
    | 'commandId'
  >
>;

/** The state after an event: a new value that shares unchanged parts with the old one. */
export function evolve(state: State, event: LedgerEvent): State {
  switch (event.type) {
    case 'order created':
      return { ...recorded(state, event.transition), order: event.order, transitionCount: event.transition.seq };
    case 'order moved': {
      const { transition } = event;
      const order = movedOrder(orderOf(state), transition);
      const isClaim = transition.trigger === 'task_claimed';
      const claimants = isClaim ? [...new Set([...state.claimants, transition.actor])] : state.claimants;
      return { ...recorded(state, transition), order, claimants, transitionCount: transition.seq };
    }
    case 'order changed':
      return { ...state, order: { ...orderOf(state), ...event.changes } };
    case 'entry made': {
      const { entry } = event;
      const wallet = walletOf(state, entry.merchantId);
      const returned =
        entry.type === 'PAYOUT_RETURN'
          ? signedSum(wallet.currency, state.returned, entry.availableChange)
          : state.returned;
      return { ...putWallet(state, walletAfterEntry(wallet, entry)), returned };
    }
    case 'transfer posted': {
      const { merchantId, transferNo, createdAt: at } = event.transfer;
      return recorded(state, { merchantId, at }, { lastTransferNo: transferNo });
    }
    case 'payment recorded': {
      const { merchantId, receivedAt: at } = event.payment;
      return { ...recorded(state, { merchantId, at }), payments: [...state.payments, event.payment] };
    }
    case 'case opened': {
      const { opened } = event;
      const { merchantId, openedAt: at, caseNo } = opened;
      return { ...recorded(state, { merchantId, at }, { lastCaseNo: caseNo }), cases: [...state.cases, opened] };
    }
    case 'case closed':
      return putCase(state, event.closed);
    case 'case reserved':
      return putCase(state, event.reserved);
    case 'case repaid':
      return putCase(state, event.repaid);
    case 'refund requested':
    case 'refund changed':
      return { ...state, refund: event.refund };
    case 'settlement written':
      return { ...state, settlement: event.settlement };
    case 'notification due':
      return state;
    case 'audit recorded': {
      const { record } = event;
      return recorded(state, record, { lastAuditNo: record.auditNo });
    }
    case 'approval requested':
    case 'approval decided':
      return { ...state, approval: event.approval };
    case 'limit used':
      return { ...state, operatorDay: event.day };
    default:
      return event satisfies never;
  }
}

function orderOf({ order }: State): Order {
  if (!order) throw new Error('there is no order that could change');
  return order;
}

function movedOrder(order: Order, { to, at }: Transition): Order {
  if (!isTerminal(to)) return { ...order, status: to, updatedAt: at };
  const completedAt = to === 'completed' ? at : order.completedAt;
  return { ...order, status: to, updatedAt: at, nextAction: null, nextActionAt: null, attempt: 0, completedAt };
}

function walletAfterEntry(wallet: Wallet, entry: WalletEntry): Wallet {
  return {
    ...wallet,
    available: entry.availableAfter,
    frozen: entry.frozenAfter,
    lastEntryNo: entry.entryNo,
    updatedAt: entry.createdAt,
    recordedAt: entry.createdAt,
  };
}

/** The state after a row of the merchant with this time. */
function recorded(
  state: State,
  { merchantId, at }: { merchantId: string; at: number },
  numbers?: Partial<Wallet>,
): State {
  return putWallet(state, { ...walletOf(state, merchantId), ...numbers, recordedAt: at });
}

function putWallet(state: State, wallet: Wallet): State {
  return wallet.merchantId === state.wallet.merchantId ? { ...state, wallet } : { ...state, otherWallet: wallet };
}

function putCase(state: State, changed: MoneyCase): State {
  return { ...state, cases: state.cases.map((one) => (isSameCase(one, changed) ? changed : one)) };
}

function isSameCase(one: MoneyCase, { merchantId, caseNo }: MoneyCase): boolean {
  return one.merchantId === merchantId && one.caseNo === caseNo;
}
