import type { ChannelAnswer } from './channel-answer.ts';
import type { Decision } from './operator.ts';
import type { Rejection } from './rejection.ts';
import type { WalletEntry } from './wallet.ts';

/**
 * `draft`: computed, nothing moved. `approved`: the amount left the wallet and has to be paid. `paid`: an operator has claimed it and transfers it.
 * `confirmed`: the bank shows it. `failed`: it came back to the wallet.
 */
export const settlementStates = ['draft', 'approved', 'paid', 'confirmed', 'failed'] as const;
export type SettlementState = (typeof settlementStates)[number];

/** The kinds of sums in a settlement, in the order in which they are shown. */
export const settlementKinds = [
  ...(['payins', 'payin_fees', 'payouts', 'payouts_released', 'payouts_returned'] as const),
  ...(['top_ups', 'adjustments', 'settlements'] as const),
] as const;
export type SettlementKind = (typeof settlementKinds)[number];

/** The sum of one kind: decimal text with its sign, and how many wallet entries it has. */
export interface SettlementSum {
  readonly kind: SettlementKind;
  readonly amount: string;
  readonly count: number;
}

/**
 * Up to which day (`YYYY-MM-DD`, inclusive) credits are settled, by channel. The empty name is for what comes from no
 * channel.
 */
export type SettledDays = Readonly<Record<string, string>>;

/**
 * The last credit that is settled, by channel, and the day in `settledDays` that belongs to it. All credits of the channel up to this entry are settled,
 * no later ones. A channel that is missing, or has another day, was settled by a version that knew the days alone.
 */
export type SettledEntries = Readonly<Record<string, { readonly day: string; readonly entryNo: number }>>;

/** The basis and the result of a draft. Amounts are decimal text. */
export interface SettlementDraft {
  /** The day of the run, and the last day that it could settle. */
  readonly runDay: string;
  readonly cutOff: string;
  /** The closing of the settlement before. opening + sums = closing. */
  readonly opening: string;
  readonly sums: readonly SettlementSum[];
  readonly closing: string;
  /** Credits that are not settled yet: closing + pending = available at `throughEntryNo`. */
  readonly pending: string;
  /** The amount that the cycle leaves in the wallet. */
  readonly keep: string;
  /** Credits whose money never came, and that nobody bears yet. They stay in the wallet. */
  readonly held: string;
  /** The amount to pay; 0.00 below the minimum. The rest of `closing` is carried over. */
  readonly amount: string;
  readonly settledBefore: SettledDays;
  readonly settledDays: SettledDays;
  /** Null: drafted by a version that knew the days alone. */
  readonly settledEntries: SettledEntries | null;
  /** Credits are looked for after `scanAfter`, everything else after `afterEntryNo`, up to `throughEntryNo`. */
  readonly scanAfter: number;
  readonly afterEntryNo: number;
  readonly throughEntryNo: number;
  /** The next settlement looks for credits after this entry. */
  readonly pendingAfter: number;
  /** The bank account to pay; null: there was none. */
  readonly accountId: string | null;
}

export interface Settlement extends SettlementDraft {
  readonly merchantId: string;
  /** 1, 2, 3 … of the merchant. Only the last one can be a draft. */
  readonly seq: number;
  readonly settlementNo: string;
  readonly state: SettlementState;
  readonly currency: string;
  /** Raised by each new computation of the draft. */
  readonly version: number;
  /** The bank's reference of the payment. */
  readonly reference: string | null;
  /** The bank file that pays it; null: none. */
  readonly fileNo: string | null;
  /** The case about its failure. */
  readonly caseNo: number | null;
  /** The statement line that shows its payment, as `file/row/part`, of several the first; null: none, or lines show its whole bank file. */
  readonly debitLine: string | null;
  /** The statement line that shows that it came back, as `file/row/part`, of several the first. */
  readonly returnLine: string | null;
  /** The channel that pays the settlement. Null: none, and the fields about the payment are null too. */
  readonly channelId: string | null;
  /** Its number at the channel: the idempotency key. Never changes. */
  readonly paymentNo: string | null;
  /** The channel's own code of the payee's bank. */
  readonly channelBankCode: string | null;
  /** The channel's own id of the payment. */
  readonly channelRef: string | null;
  /** The last answer in a few words. */
  readonly answer: string | null;
  /** `send` only where nothing is at the channel. After the end the channel is asked a few times more. */
  readonly nextAction: 'send' | 'query' | null;
  readonly nextActionAt: number | null;
  /** How often a worker claimed the payment. */
  readonly attempt: number;
  /** The id of the claim whose answer has not arrived. Null: no call is under way. */
  readonly commandId: string | null;
  /** The transfers by which the channel paid it, and gave it back. Null: nothing was posted, or a line's break posted it. */
  readonly transferNo: number | null;
  readonly returnTransferNo: number | null;
  /** Of the first computation. */
  readonly draftedAt: number;
  readonly approvedAt: number | null;
  readonly paidAt: number | null;
  readonly confirmedAt: number | null;
  readonly failedAt: number | null;
}

interface Named {
  merchantId: string;
  seq: number;
  settlementNo: string;
  by: Decision;
}

/** Stores a draft, or replaces the existing one. */
export interface DraftSettlement extends Named {
  type: 'draftSettlement';
  draft: SettlementDraft;
}

/** Money that came into a wallet since a draft, up to one of its entries. Amounts are decimal text. */
export interface Credited {
  amount: string;
  throughEntryNo: number;
}

/**
 * Takes the amount of a draft out of the wallet. `version`, `accountId`: as the operators saw them. `credited`: what was summed up before the
 * wallet is locked, so that little is left to read under the lock.
 */
export interface ApproveSettlement extends Named {
  type: 'approveSettlement';
  version: number;
  accountId: string | null;
  credited: Credited;
  bookingNo: string;
}

/**
 * `paySettlement`: an operator claims the settlement before transferring the money. `confirmSettlement`: the bank shows
 * the transfer.
 */
export interface PayOrConfirmSettlement extends Named {
  type: 'paySettlement' | 'confirmSettlement';
  reference: string;
  /** The bank file that claims it. Left out: none. */
  fileNo?: string;
  /** The line that shows the payment. It takes the place of two operators. Left out: none. */
  line?: ProvingLine;
  /** The number at the channel that pays it, under which its movements are stored. Left out: no channel pays it. */
  paymentNo?: string;
}

/** A line of a bank's statement, as `file/row/part`. `isOfFile`: it shows the payment of a whole bank file. */
export interface ProvingLine {
  place: string;
  isOfFile: boolean;
  /** What it shows together with others, if a channel pays the settlement under this number. */
  shown?: { paymentNo: string; lines: readonly ShownLine[] };
}

/** A line that shows a payment or its return, or a part of it. */
export interface ShownLine {
  place: string;
  reference: string;
  amount: string;
}

/** Claims the payment for a channel, which a worker then calls. */
export interface SendSettlement extends Named {
  type: 'sendSettlement';
  channelId: string;
  channelBankCode: string | null;
  paymentNo: string;
}

/** A settlement that a channel pays. */
export interface SettlementPaymentRef {
  merchantId: string;
  seq: number;
  settlementNo: string;
}

/** Claims the next call of the channel for a worker's lease, if it is due and was not changed since it was read. */
export interface ClaimSettlementPayment extends SettlementPaymentRef {
  type: 'claimSettlementPayment';
  action: 'send' | 'query';
  attempt: number;
  lease: number;
}

/** A channel's answer about the payment of a settlement. */
export interface ApplySettlementPayment extends SettlementPaymentRef {
  type: 'applySettlementPayment';
  /** Its number at the channel, under which the ledger has what the channel moved for it. */
  paymentNo: string;
  answer: ChannelAnswer;
  during: 'send' | 'query';
  /** The statement line that proves it, as `file/row/part`. Left out: the channel reports it. */
  line?: string;
  /** With a line: how many such payments of the settlement other lines explain. */
  explained?: number;
}

/** Brings the amount back to the wallet, with a case. */
export interface FailSettlement extends Named {
  type: 'failSettlement';
  /** The state that the operators saw. A payment meanwhile makes another decision of it. */
  seen: SettlementState;
  detail: string;
  /** What the bank says or shows about the payment. Needed once its bank file was downloaded. Left out: nothing. */
  evidence?: string;
  bookingNo: string;
  /** The line that shows the return. It takes the place of two operators. Left out: none. */
  line?: ProvingLine;
}

export type SettlementCommand =
  | DraftSettlement
  | ApproveSettlement
  | PayOrConfirmSettlement
  | SendSettlement
  | ClaimSettlementPayment
  | ApplySettlementPayment
  | FailSettlement;

/** A step of operators after the draft. */
export type SettlementStep = Exclude<
  SettlementCommand['type'],
  'draftSettlement' | 'claimSettlementPayment' | 'applySettlementPayment'
>;

/** The states in which each step is possible. */
const from: Record<SettlementStep, readonly SettlementState[]> = {
  approveSettlement: ['draft'],
  paySettlement: ['approved'],
  sendSettlement: ['approved'],
  confirmSettlement: ['approved', 'paid'],
  failSettlement: ['approved', 'paid', 'confirmed'],
};

/** Why the step is not possible for a settlement in this state; null: it is possible. */
export function problemOfStep(
  type: SettlementStep,
  { state, amount }: Pick<Settlement, 'state' | 'amount'>,
): Rejection | null {
  if (!from[type].includes(state)) return 'settlement_not_there';
  return type === 'approveSettlement' && amount === '0.00' ? 'nothing_to_settle' : null;
}

/** Why a line does not prove the settlement that it names. */
export type ProofProblem = 'not_approved' | 'not_paid' | 'proven' | 'brought_back' | 'by_people' | 'in_ledger';

/**
 * What a bank's line of equal amount means for the settlement that it names. `moves`: it is confirmed, or fails. Where people were faster, the line
 * proves nothing: it may be a second payment, so people end its break too. A return counts only after a confirmation.
 */
export function stepOfProof(
  found: Pick<Settlement, 'state' | 'debitLine' | 'returnLine' | 'transferNo' | 'returnTransferNo'>,
  direction: 'in' | 'out',
): 'moves' | ProofProblem {
  const { state, debitLine, returnLine } = found;
  if ((direction === 'out' ? debitLine : returnLine) !== null) return 'proven';
  // The channel reported the movement. Matching compares the line with this report.
  if ((direction === 'out' ? found.transferNo : found.returnTransferNo) !== null) return 'in_ledger';
  if (state === 'draft') return 'not_approved';
  if (direction === 'out') {
    if (state === 'failed') return returnLine === null ? 'brought_back' : 'by_people';
    return state === 'confirmed' ? 'by_people' : 'moves';
  }
  if (state === 'failed') return 'by_people';
  return state === 'confirmed' ? 'moves' : 'not_paid';
}

/** The number of a settlement: `ST`, the tag of the merchant, and its sequence. At most 35 characters, as banks want it. */
export function settlementNoOf(tag: string, seq: number): string {
  return `ST${tag}${String(seq).padStart(6, '0')}`;
}

/** The booking in a wallet by which a break ends. */
export const breakBookingNo = ({ merchantId, breakNo }: { merchantId: string; breakNo: number }): string =>
  `BREAK/${merchantId}/${breakNo}`;

/** Whether a booking by hand would look like one of a settlement, a case, a break, a reversal or a returned fee. Those book under numbers of their own. */
export function isReservedBookingNo(bookingNo: string): boolean {
  const isOfOurs = ['BREAK/', 'REVERSAL/', 'FEE/'].some((prefix) => bookingNo.toUpperCase().startsWith(prefix));
  return isOfOurs || /^ST[0-9A-Z]{4}[0-9]{6,}$|^CASE\/|-returned$/i.test(bookingNo);
}

/** The booking with which a failed settlement comes back. The database has each booking number once. */
export const returnNoOf = (settlementNo: string): string => `${settlementNo}-returned`;

/** Whether an entry brings money that no earlier draft settles. A released payout only undoes its hold. */
export function isCreditSince({ type, availableChange }: Pick<WalletEntry, 'type' | 'availableChange'>): boolean {
  return type !== 'PAYOUT_RELEASE' && availableChange !== '0.00' && !availableChange.startsWith('-');
}
