import type { ChannelAnswer } from './channel-answer.ts';
import type { FeeStep } from './fee.ts';
import type { Decision } from './operator.ts';
import type { OperatorCommand } from './operator-commands.ts';
import type { NextAction, Order, OrderRef } from './order.ts';

/** A new order with all that its creator decided: fees, route, addresses. State and times are the ledger writer's to set. */
export type NewOrder = Omit<
  Order,
  | 'status'
  | 'paidAmount'
  | 'channelRef'
  | 'payLink'
  | 'payQr'
  | 'task'
  | 'failureReason'
  | 'contradiction'
  | 'nextAction'
  | 'nextActionAt'
  | 'attempt'
  | 'expiresAt'
  | 'createdAt'
  | 'updatedAt'
  | 'completedAt'
  | 'traceparent'
  | 'commandId'
  | 'batchNo'
>;

/** Puts a payin in the ledger. `submitAfter`: ms until the worker submits it, should nobody have; 0: the worker shall do it at once. */
export interface CreatePayin {
  type: 'createPayin';
  order: NewOrder;
  /** What it costs, by when it is created; left out: as it says, whenever that is. */
  fees?: readonly FeeStep[];
  submitAfter: number;
  /** How long it may stay unpaid, in ms, before scaling. */
  expiresIn: number;
}

/** Puts a payout in the ledger and freezes its net amount. */
export interface CreatePayout {
  type: 'createPayout';
  order: NewOrder;
  /** What it costs, by when it is created; left out: as it says, whenever that is. */
  fees?: readonly FeeStep[];
}

/** What a channel said of an order, and on which occasion. */
export interface ApplyReport {
  type: 'applyReport';
  ref: OrderRef;
  channelId: string;
  answer: ChannelAnswer;
  during: 'create' | 'query' | 'callback' | 'expiry';
}

/** Takes the order's next action, if it is due, for as long as a worker's lease; nobody else gets it meanwhile. */
export interface ClaimWork {
  type: 'claimWork';
  ref: OrderRef;
  action: NextAction;
  lease: number;
}

/** Passes an order that its channel refused on to the next one. */
export interface Reroute {
  type: 'reroute';
  ref: OrderRef;
  fromChannelId: string;
  toChannelId: string;
  toChannelBankCode: string | null;
  reason: string;
}

/** Books money that belongs to no order of ours: to the suspense of the country's platform account, with a case. */
export interface BookUnmatched {
  type: 'bookUnmatched';
  merchantId: string;
  channelId: string;
  orderNo: string;
  reference: string;
  amount: string;
  /** It came in, was paid out, or is a payout that the bank sent back. */
  direction: 'in' | 'out' | 'back';
}

/** Moves money between the bank and a wallet. `amount` is signed decimal text; `bookingNo` makes it happen once. */
export interface BookWallet {
  type: 'bookWallet';
  merchantId: string;
  entry: 'TOP_UP' | 'SETTLEMENT' | 'ADJUSTMENT';
  amount: string;
  bookingNo: string;
  remark: string;
  by: Decision;
}

/** Records a change of what is configured, which is made in the same transaction, in the merchant's chain of audit records. */
export interface RecordChange {
  type: 'recordChange';
  merchantId: string;
  /** What was done, e.g. `setFeeRule`. */
  change: string;
  subject: string;
  /** State before and after the change, if it can be shown. Never a secret. */
  before?: object | null | undefined;
  after?: object | null | undefined;
  by: Decision;
}

/** Everything that can be asked of the ledger writer. */
export type Command = (
  | CreatePayin
  | CreatePayout
  | ApplyReport
  | ClaimWork
  | Reroute
  | BookUnmatched
  | BookWallet
  | RecordChange
  | OperatorCommand
) &
  WithId & {
    /** The span in which it is given, as W3C traceparent: what it writes carries it on. */
    traceparent?: string;
  };

export interface WithId {
  /** Drawn once, before the first try: by it a command that is tried again, since its answer was lost, finds its own effect. A UUID. */
  id?: string;
}

/**
 * Where a command's effect is found by a second try: `key`: by numbers that it carries anyway (merchant order number, booking number,
 * payment reference), or it says how things are, and saying so again changes nothing; `order`: its id is kept with the order that it changed.
 * Whatever an operator decides is found by the id in its audit record.
 */
const foundBy = {
  createPayin: 'key',
  createPayout: 'key',
  applyReport: 'key',
  bookUnmatched: 'key',
  claimWork: 'order',
  reroute: 'order',
  endClaim: 'order',
  bookWallet: 'record',
  recordChange: 'record',
  cancelOrder: 'record',
  confirmFunds: 'record',
  resolvePayout: 'record',
  creditCase: 'record',
  returnCase: 'record',
  claimTask: 'record',
  proveTask: 'record',
  acceptProof: 'record',
  rejectProof: 'record',
  requestApproval: 'record',
  rejectApproval: 'record',
  withdrawApproval: 'record',
  failApproval: 'record',
} as const satisfies Record<Command['type'], 'key' | 'order' | 'record'>;

/** What keeps the command's id in the same transaction as its effect; null where it needs none. */
export function keeperOfId(command: Command): 'order' | 'record' | null {
  const keeper = foundBy[command.type];
  if (keeper === 'key') return null;
  return 'by' in command && command.by !== null ? 'record' : 'order';
}

/** The merchant whose rows the command writes. */
export function merchantOf(command: Command): string {
  if ('ref' in command) return command.ref.merchantId;
  return 'order' in command ? command.order.merchantId : command.merchantId;
}

/** Whose rows it writes besides: a merchant's who is credited with money of the platform's. */
export function otherMerchantOf(command: Command): string | null {
  const other = 'toMerchantId' in command ? command.toMerchantId : undefined;
  return other === undefined || other === merchantOf(command) ? null : other;
}

/** The order that the command names, if it names one that may be there already. */
export function namedOrder(command: Command): OrderRef | null {
  if ('ref' in command) return command.ref;
  if (!('orderNo' in command) || command.orderNo === null) return null;
  return { merchantId: otherMerchantOf(command) ?? command.merchantId, orderNo: command.orderNo };
}

/** The approval by which two operators agreed on the command, if it needed two. */
export function namedApproval(command: Command): { merchantId: string; approvalId: string } | null {
  const approvalId = 'by' in command ? command.by?.approvalId : undefined;
  return approvalId === undefined ? null : { merchantId: merchantOf(command), approvalId };
}

/** The approval that the command is decided on: the one by which two agreed, or the one that it ends. */
export function neededApproval(command: Command): { merchantId: string; approvalId: string } | null {
  if (!('approvalId' in command) || command.type === 'requestApproval') return namedApproval(command);
  return { merchantId: command.merchantId, approvalId: command.approvalId };
}

/** The order whose open cases the command needs: a payout's that is resolved, or that the bank returned. */
export function needsCases(command: Command): OrderRef | null {
  const isReturn = command.type === 'applyReport' && command.answer.outcome === 'returned';
  return isReturn || command.type === 'resolvePayout' ? command.ref : null;
}

/** The cases that the command decides, the first one first. */
export function namedCases(command: Command): { merchantId: string; caseNo: number }[] {
  if (!('caseNo' in command)) return [];
  const { merchantId, caseNo, alsoCaseNos = [] } = command;
  return [caseNo, ...alsoCaseNos].map((no) => ({ merchantId, caseNo: no }));
}

/** Each order once. */
export function uniqueOrders<T extends OrderRef>(refs: T[]): T[] {
  return [...new Map(refs.map((ref) => [`${ref.merchantId} ${ref.orderNo}`, ref])).values()];
}
