import type { Currency } from './country.ts';
import type { Account } from './ledger.ts';
import { Money } from './money.ts';
import type { Order } from './order.ts';

/** A merchant's wallet. Amounts are decimal text. The counters number the merchant's entries, transfers and cases without gaps. */
export interface Wallet {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly available: string;
  readonly frozen: string;
  /** The part of `available` that turned out to be test money. It cannot be paid out or settled (ADR 0035). */
  readonly withheld: string;
  readonly lastEntryNo: number;
  readonly lastTransferNo: number;
  readonly lastCaseNo: number;
  readonly lastAuditNo: number;
  /** The last link of the ledger chain, which covers all rows of the merchant. */
  readonly lastBatchNo: number;
  readonly lastBatchHash: string;
  /** When its balances changed last. */
  readonly updatedAt: number;
  /** No row of the merchant is recorded before this time (`Story.at`). */
  readonly recordedAt: number;
}

export const entryTypes = [
  ...(['PAYIN', 'PAYOUT_FREEZE', 'PAYOUT_RELEASE', 'PAYOUT', 'PAYOUT_RETURN'] as const),
  ...(['TOP_UP', 'SETTLEMENT', 'ADJUSTMENT'] as const),
] as const;
export type EntryType = (typeof entryTypes)[number];

/** One entry of a wallet's history. */
export interface WalletEntry {
  readonly merchantId: string;
  readonly entryNo: number;
  readonly type: EntryType;
  readonly availableChange: string;
  readonly frozenChange: string;
  readonly availableBefore: string;
  readonly availableAfter: string;
  readonly frozenBefore: string;
  readonly frozenAfter: string;
  readonly orderNo: string | null;
  readonly merchantOrderNo: string | null;
  readonly remark: string | null;
  /** The number of a top-up, settlement or adjustment, which makes it idempotent. */
  readonly bookingNo: string | null;
  readonly createdAt: number;
  /** The account against which it was booked; null for entries of orders. */
  readonly counter: Account | null;
  /** What it corrects: the number of an order, a settlement, a case or a booking. */
  readonly corrects: string | null;
  /** The link of the ledger chain that covers it. */
  readonly batchNo: number;
}

export interface EntryInput {
  readonly merchantId: string;
  readonly type: EntryType;
  readonly availableChange: Money;
  readonly frozenChange: Money;
  readonly orderNo: string | null;
  readonly merchantOrderNo: string | null;
  readonly remark: string | null;
  readonly bookingNo: string | null;
  readonly counter?: Account | null;
  readonly corrects?: string | null;
}

/** An entry for an order. A change that is left out is zero. */
export function entryOfOrder(
  {
    merchantId,
    orderNo,
    merchantOrderNo,
    currency,
  }: Pick<Order, 'merchantId' | 'orderNo' | 'merchantOrderNo' | 'currency'>,
  entry: Pick<EntryInput, 'type'> & Partial<Pick<EntryInput, 'availableChange' | 'frozenChange' | 'remark'>>,
): EntryInput {
  const { type, availableChange = Money.zero(currency), frozenChange = Money.zero(currency), remark = null } = entry;
  return { merchantId, type, availableChange, frozenChange, orderNo, merchantOrderNo, remark, bookingNo: null };
}

/** The number of the link that will cover what is added to the wallet's merchant now. */
export const nextBatchNo = ({ lastBatchNo }: Pick<Wallet, 'lastBatchNo'>): number => lastBatchNo + 1;

/** The entries by which money leaves the service. A correction may take what is withheld. */
const leaving: readonly EntryType[] = ['PAYOUT_FREEZE', 'SETTLEMENT'];

/**
 * The wallet's next entry; null if a balance would fall below zero, or if money that leaves the service would be withheld
 * money.
 */
export function makeEntry(wallet: Wallet, input: EntryInput, now: number): WalletEntry | null {
  const available = Money.of(wallet.available, wallet.currency).plus(input.availableChange);
  const frozen = Money.of(wallet.frozen, wallet.currency).plus(input.frozenChange);
  if (available.isNegative() || frozen.isNegative()) return null;
  const isLeaving = leaving.includes(input.type) && input.availableChange.isNegative();
  if (isLeaving && available.isLessThan(Money.of(wallet.withheld, wallet.currency))) return null;
  const { counter = null, corrects = null } = input;
  return {
    merchantId: wallet.merchantId,
    entryNo: wallet.lastEntryNo + 1,
    type: input.type,
    availableChange: input.availableChange.toString(),
    frozenChange: input.frozenChange.toString(),
    availableBefore: wallet.available,
    availableAfter: available.toString(),
    frozenBefore: wallet.frozen,
    frozenAfter: frozen.toString(),
    orderNo: input.orderNo,
    merchantOrderNo: input.merchantOrderNo,
    remark: input.remark,
    bookingNo: input.bookingNo,
    createdAt: now,
    counter,
    corrects,
    batchNo: nextBatchNo(wallet),
  };
}
