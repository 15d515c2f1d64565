import type { Currency } from './country.ts';
import { type EntryType, entryHash, type HashedEntry } from './entry-hash.ts';
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
  readonly lastEntryHash: string;
  readonly lastTransferNo: number;
  readonly lastCaseNo: number;
  readonly lastAuditNo: number;
  readonly lastAuditHash: string;
  /** The last link of the ledger chain. */
  readonly lastBatchNo: number;
  readonly lastBatchHash: string;
  /** When its balances changed last. */
  readonly updatedAt: number;
  /** No row of the merchant is recorded before this time (`Story.at`). */
  readonly recordedAt: number;
}

/**
 * One entry of a wallet's history. `hash` chains it to the previous entry, so that a changed or missing one is found.
 */
export interface WalletEntry extends HashedEntry {
  readonly hash: string;
  /** The account against which it was booked; null for entries of orders. The transfer in the ledger chain proves it. */
  readonly counter: Account | null;
  /** What it corrects: the number of an order, a settlement, a case or a booking. The decision in the audit chain proves it. */
  readonly corrects: string | null;
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

export const firstEntryHash = '0'.repeat(64);

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
  const unhashed = {
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
  };
  const { counter = null, corrects = null } = input;
  return { ...unhashed, hash: entryHash(wallet.lastEntryHash, unhashed), counter, corrects };
}
