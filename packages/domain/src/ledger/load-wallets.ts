import type { Currency } from '../core/country.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { WalletRow } from '../database/entities/ledger.ts';
import { loadFew, type SmallTable } from '../lists/load-few.ts';
import type { Scope } from '../lists/scope.ts';

/** A wallet. Amounts are decimal text in its currency, `updatedAt` is in Unix milliseconds. */
export interface WalletRecord {
  merchantId: string;
  currency: Currency;
  available: string;
  frozen: string;
  /** The part of `available` that cannot be paid out, because its channel was a test account. */
  withheld: string;
  lastEntryNo: number;
  updatedAt: number;
}

const wallets: SmallTable = {
  entity: WalletRow,
  key: ['merchantId', 'merchant_id'],
  isOfMerchant: true,
  omitted: ['lastTransferNo', 'lastCaseNo', 'lastAuditNo'],
};

/** Wallets by their merchants' numbers. */
export function loadWallets({ database }: DatabaseAccess, scope: Scope, ids: readonly string[]) {
  return loadFew<WalletRecord>(database, wallets, ids, scope);
}
