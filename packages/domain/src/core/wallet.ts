import type { Currency } from './country.ts';
import { type EntryType, entryHash, type HashedEntry } from './entry-hash.ts';
import { Money } from './money.ts';

/** A merchant's wallet. Amounts are decimal text. The counters number the merchant's entries, transfers and cases without gaps. */
export interface Wallet {
  merchantId: string;
  currency: Currency;
  available: string;
  frozen: string;
  lastEntryNo: number;
  lastEntryHash: string;
  lastTransferNo: number;
  lastCaseNo: number;
  lastAuditNo: number;
  lastAuditHash: string;
  /** The last link of the ledger chain. */
  lastBatchNo: number;
  lastBatchHash: string;
  updatedAt: number;
}

/** One line of a wallet's history. `hash` chains it to the line before: a changed or missing one is found. */
export interface WalletEntry extends HashedEntry {
  hash: string;
}

export interface EntryInput {
  type: EntryType;
  availableChange: Money;
  frozenChange: Money;
  orderNo: string | null;
  merchantOrderNo: string | null;
  remark: string | null;
  bookingNo: string | null;
}

export const firstEntryHash = '0'.repeat(64);

/** The wallet after `input`, and its entry; null if a balance would fall below zero. */
export function enter(wallet: Wallet, input: EntryInput, now: number): { wallet: Wallet; entry: WalletEntry } | null {
  const available = Money.of(wallet.available, wallet.currency).plus(input.availableChange);
  const frozen = Money.of(wallet.frozen, wallet.currency).plus(input.frozenChange);
  if (available.isNegative() || frozen.isNegative()) return null;
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
  const entry = { ...unhashed, hash: entryHash(wallet.lastEntryHash, unhashed) };
  return {
    entry,
    wallet: {
      ...wallet,
      available: entry.availableAfter,
      frozen: entry.frozenAfter,
      lastEntryNo: entry.entryNo,
      lastEntryHash: entry.hash,
      updatedAt: now,
    },
  };
}
