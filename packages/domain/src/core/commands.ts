import type { ChannelAnswer } from './channel-answer.ts';
import { isPlatformTenant } from './country.ts';
import type { FeeStep } from './fee.ts';
import type { Account } from './ledger.ts';
import type { Decision } from './operator.ts';
import type { OperatorCommand } from './operator-commands.ts';
import type { NextAction, Order, OrderRef } from './order.ts';
import type { RefundAnswer } from './refund-answer.ts';
import type { SettlementCommand } from './settlement.ts';

/** A new order with all that its creator decided: fees, route, addresses. The ledger writer sets state and times. */
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

/**
 * Creates a payin in the ledger. `submitAfter`: ms after which the worker submits it, unless its creator has; 0: at
 * once, by the worker.
 */
export interface CreatePayin {
  type: 'createPayin';
  order: NewOrder;
  /** The fees by creation time. Left out: those of the order, at any time. */
  fees?: readonly FeeStep[];
  submitAfter: number;
  /** How long it may stay unpaid, in ms, before scaling. */
  expiresIn: number;
}

/** Creates a payout in the ledger and freezes its net amount. */
export interface CreatePayout {
  type: 'createPayout';
  order: NewOrder;
  /** The fees by creation time. Left out: those of the order, at any time. */
  fees?: readonly FeeStep[];
}

/** A channel's answer about an order, and the occasion of it. */
export interface ApplyReport {
  type: 'applyReport';
  ref: OrderRef;
  channelId: string;
  answer: ChannelAnswer;
  during: 'create' | 'query' | 'callback' | 'expiry';
  /** The statement line that proves it, as `file/row/part`. Left out: the channel reports it. */
  line?: string;
  /** With a line: how many such payments of the order other lines explain. Left out: none. */
  explained?: number;
}

/** Claims the order's next action for a worker's lease, if it is due. No other worker gets it during the lease. */
export interface ClaimWork {
  type: 'claimWork';
  ref: OrderRef;
  action: NextAction;
  lease: number;
}

/** Sends an order that its channel refused to the next channel. */
export interface Reroute {
  type: 'reroute';
  ref: OrderRef;
  fromChannelId: string;
  toChannelId: string;
  toChannelBankCode: string | null;
  reason: string;
}

/** A refund, by its case. */
export interface RefundRef {
  merchantId: string;
  caseNo: number;
  refundNo: string;
}

/**
 * Claims the refund's next action for a worker's lease, if it is due. `action` and `attempt`: the next action and how
 * many claims there were when the worker read it. After the claim of `send` the next action is `query`: nothing is sent twice without asking first.
 */
export interface ClaimRefund extends RefundRef {
  type: 'claimRefund';
  action: 'send' | 'query';
  attempt: number;
  lease: number;
}

/** A channel's answer about a refund. */
export interface ApplyRefund extends RefundRef {
  type: 'applyRefund';
  answer: RefundAnswer;
  during: 'send' | 'query';
}

/** Books money that belongs to no order of ours: to the suspense of the country's platform account, with a case. */
export interface BookUnmatched {
  type: 'bookUnmatched';
  merchantId: string;
  channelId: string;
  orderNo: string;
  reference: string;
  amount: string;
  /** Whether the money came in, was paid out, or was returned by the bank. */
  direction: 'in' | 'out' | 'back';
  /** The statement line that shows it, as `file/row/part`. Left out: the channel reports it. */
  line?: string;
  /** With a line: how many such payments of the order number other lines explain. Left out: none. */
  explained?: number;
}

/** Why a wallet is adjusted, which chooses the account against which it is booked. */
export const adjustmentKinds = ['fee', 'variance', 'bank', 'dispute'] as const;
export type AdjustmentKind = (typeof adjustmentKinds)[number];

/** Moves money between a wallet and the bank, or the account of an adjustment. `amount` is signed decimal text; `bookingNo` makes it idempotent. */
export interface BookWallet {
  type: 'bookWallet';
  merchantId: string;
  entry: 'TOP_UP' | 'SETTLEMENT' | 'ADJUSTMENT';
  /** Of an adjustment. Left out: the bank. */
  kind?: AdjustmentKind;
  /**
   * The channel whose variance an adjustment takes or fills. Of a top-up: the channel whose account received it, so its
   * statement has to show it; left out: no statement does.
   */
  channelId?: string;
  /** What an adjustment corrects: the number of an order, a settlement, a case or a booking. */
  corrects?: string;
  amount: string;
  bookingNo: string;
  remark: string;
  by: Decision;
}

/** Takes back the booking that `reverses` names, under the number of its reversal (`reversalNoOf`). */
export interface ReverseBooking {
  type: 'reverseBooking';
  merchantId: string;
  bookingNo: string;
  reverses: string;
  remark: string;
  by: Decision;
}

/** The booking number of a reversal. The database has each booking number once, so each booking is reversed once. */
export const reversalNoOf = (bookingNo: string): string => `REVERSAL/${bookingNo}`;

/**
 * Records a change of the configuration in the merchant's audit records. The change itself is made in the same
 * transaction.
 */
export interface RecordChange {
  type: 'recordChange';
  merchantId: string;
  /** What was done, e.g. `setFeeRule`. */
  change: string;
  subject: string;
  /** State before and after the change, if it can be shown. Never a secret. */
  before?: object | null | undefined;
  after?: object | null | undefined;
  /** Transfers between the platform's accounts that the change comes with. Amounts are above zero. */
  postings?: readonly { debit: Account; credit: Account; amount: string }[] | undefined;
  by: Decision;
}

/** Every command of the ledger writer. */
export type Command = (
  | CreatePayin
  | CreatePayout
  | ApplyReport
  | ClaimWork
  | Reroute
  | ClaimRefund
  | ApplyRefund
  | BookUnmatched
  | BookWallet
  | ReverseBooking
  | RecordChange
  | SettlementCommand
  | OperatorCommand
) &
  WithId & {
    /** The span of the caller, as W3C traceparent. The written rows carry it on. */
    traceparent?: string;
  };

export interface WithId {
  /** A UUID, drawn once before the first try. A retry after a lost answer finds its own effect by it. */
  id?: string;
}

type Keeper = 'order' | 'refund' | 'settlement' | 'record';

/**
 * How a retry finds the effect of the first try:
 * - `key`: by numbers that the command has (merchant order number, booking number, payment reference). A command that
 * only sets a state needs nothing: repeating it changes nothing.
 * - `order`: by the command's id, stored with the order that it changed.
 * - `refund`, `settlement`: by the command's id, stored with the refund or the settlement that it changed.
 * - `record`: by the command's id in the audit record of an operator's decision.
 */
const foundBy = {
  createPayin: 'key',
  createPayout: 'key',
  applyReport: 'key',
  bookUnmatched: 'key',
  applyRefund: 'key',
  claimRefund: 'refund',
  claimWork: 'order',
  reroute: 'order',
  endClaim: 'order',
  bookWallet: 'record',
  reverseBooking: 'record',
  recordChange: 'record',
  draftSettlement: 'record',
  approveSettlement: 'record',
  paySettlement: 'record',
  sendSettlement: 'record',
  claimSettlementPayment: 'settlement',
  applySettlementPayment: 'key',
  confirmSettlement: 'record',
  failSettlement: 'record',
  cancelOrder: 'record',
  confirmFunds: 'record',
  resolvePayout: 'record',
  creditCase: 'record',
  returnCase: 'record',
  chargeCase: 'record',
  writeOffCase: 'record',
  resolveRefund: 'record',
  claimTask: 'record',
  proveTask: 'record',
  acceptProof: 'record',
  rejectProof: 'record',
  requestApproval: 'record',
  rejectApproval: 'record',
  withdrawApproval: 'record',
  failApproval: 'record',
} as const satisfies Record<Command['type'], 'key' | Keeper>;

/** Kind of row that stores the command's id, in the same transaction as its effect; null if it needs none. */
export function keeperOfId(command: Command): Keeper | null {
  const keeper = foundBy[command.type];
  if (keeper === 'key') return null;
  if (keeper === 'refund' || keeper === 'settlement') return keeper;
  return 'by' in command && command.by !== null ? 'record' : 'order';
}

/** The merchant whose rows the command writes. */
export function merchantOf(command: Command): string {
  if ('ref' in command) return command.ref.merchantId;
  return 'order' in command ? command.order.merchantId : command.merchantId;
}

/** The other merchant whose rows the command writes: the one who is credited with money of the platform. */
export function otherMerchantOf(command: Command): string | null {
  const other = 'toMerchantId' in command ? command.toMerchantId : undefined;
  return other === undefined || other === merchantOf(command) ? null : other;
}

/** The existing order that the command may refer to. */
export function namedOrder(command: Command): OrderRef | null {
  if ('ref' in command) return command.ref;
  // What a channel moved for a settlement is stored under its number there.
  if (command.type === 'applySettlementPayment') return { merchantId: command.merchantId, orderNo: command.paymentNo };
  if (command.type === 'confirmSettlement' || command.type === 'failSettlement') {
    const stored = command.line?.shown?.paymentNo ?? ('paymentNo' in command ? command.paymentNo : undefined);
    return stored === undefined ? null : { merchantId: command.merchantId, orderNo: stored };
  }
  if (!('orderNo' in command) || command.orderNo === null) return null;
  return { merchantId: otherMerchantOf(command) ?? command.merchantId, orderNo: command.orderNo };
}

/** The approval by which two operators agreed on the command, if it needed two. */
export function namedApproval(command: Command): { merchantId: string; approvalId: string } | null {
  const approvalId = 'by' in command ? command.by?.approvalId : undefined;
  return approvalId === undefined ? null : { merchantId: merchantOf(command), approvalId };
}

/** The approval that the command needs: that of the two operators who agreed, or the approval that it closes. */
export function neededApproval(command: Command): { merchantId: string; approvalId: string } | null {
  if (!('approvalId' in command) || command.type === 'requestApproval') return namedApproval(command);
  return { merchantId: command.merchantId, approvalId: command.approvalId };
}

/** The answers after which it counts whether money is known to have left: open cases say so. */
const needingCases: readonly ChannelAnswer['outcome'][] = ['returned', 'failed', 'refused', 'timed_out', 'closed'];

const needingAlways: readonly Command['type'][] = [
  'resolvePayout',
  'cancelOrder',
  'claimTask',
  'proveTask',
  'acceptProof',
];

/**
 * The order whose open cases the command needs, and those that can still be given back: a payout that ends, that the bank returned, whose returned money
 * is credited, or that an operator would pay.
 */
export function needsCases(command: Command): OrderRef | null {
  if (command.type === 'applyReport') return needingCases.includes(command.answer.outcome) ? command.ref : null;
  if (command.type === 'creditCase') return otherMerchantOf(command) === null ? namedOrder(command) : null;
  return 'ref' in command && needingAlways.includes(command.type) ? command.ref : null;
}

/** The cases of the platform that the command credits to nobody else: it needs those about money that left for the same unknown payout. */
export function namedReturns(command: Command): { merchantId: string; caseNo: number }[] {
  const isOfPlatform = command.type === 'creditCase' && isPlatformTenant(command.merchantId);
  return isOfPlatform && otherMerchantOf(command) === null ? namedCases(command) : [];
}

/** The order of which the command needs what the bank returned so far. */
export function needsReturned(command: Command): OrderRef | null {
  return command.type === 'creditCase' ? namedOrder(command) : null;
}

/** The order whose earlier claimants the command needs. */
export function needsClaimants(command: Command): OrderRef | null {
  return command.type === 'proveTask' ? command.ref : null;
}

/** The cases that the command decides, the first one first. */
export function namedCases(command: Command): { merchantId: string; caseNo: number }[] {
  if (!('caseNo' in command)) return [];
  const { merchantId, caseNo } = command;
  const alsoCaseNos = 'alsoCaseNos' in command ? (command.alsoCaseNos ?? []) : [];
  return [caseNo, ...alsoCaseNos].map((no) => ({ merchantId, caseNo: no }));
}

/** The bookings that the command makes or takes back, and that took them back, by merchant and number. */
export function namedBookings(command: Command): { merchantId: string; bookingNo: string }[] {
  if (!('bookingNo' in command)) return [];
  const { merchantId, bookingNo } = command;
  if (command.type === 'bookWallet')
    return [bookingNo, reversalNoOf(bookingNo)].map((no) => ({ merchantId, bookingNo: no }));
  const reversed = command.type === 'reverseBooking' ? [{ merchantId, bookingNo: command.reverses }] : [];
  return [{ merchantId, bookingNo }, ...reversed];
}

/** The refund that must exist for the command. */
export function namedRefund(command: Command): RefundRef | null {
  if (command.type === 'returnCase' || !('refundNo' in command) || command.refundNo === undefined) return null;
  const { merchantId, caseNo, refundNo } = command as RefundRef;
  return { merchantId, caseNo, refundNo };
}

/** The settlement that the command is about. `after`: up to where its approval has summed up credits. */
export function namedSettlement(command: Command): { merchantId: string; seq: number; after: number | null } | null {
  if (!('settlementNo' in command)) return null;
  const { merchantId, seq } = command;
  return { merchantId, seq, after: command.type === 'approveSettlement' ? command.credited.throughEntryNo : null };
}

/** Each order once. */
export function uniqueOrders<T extends OrderRef>(refs: T[]): T[] {
  return [...new Map(refs.map((ref) => [`${ref.merchantId} ${ref.orderNo}`, ref])).values()];
}
