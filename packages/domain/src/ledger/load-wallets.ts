import type { Currency } from '../core/country.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { WalletRow } from '../database/entities/ledger.ts';
import type { Joined, SmallTable } from '../lists/joined-rows.ts';
import { loadFew } from '../lists/load-few.ts';
import type { Only } from '../lists/only.ts';
import type { Scope } from '../lists/scope.ts';

/** A wallet. Amounts are decimal text in its currency, `updatedAt` is in Unix milliseconds. */
export interface WalletRecord {
  merchantId: string;
  currency: Currency;
  available: string;
  frozen: string;
  lastEntryNo: number;
  updatedAt: number;
}

const wallets: SmallTable = {
  entity: WalletRow,
  key: ['merchantId', 'merchant_id'],
  isOfMerchant: true,
  omitted: ['lastEntryHash', 'lastTransferNo', 'lastCaseNo', 'lastAuditNo', 'lastAuditHash'],
};

/** Fields of a wallet to read; undefined: none. */
export interface WantedWallet {
  wallet?: { only: Only };
}

export function joinedWallet({ wallet }: WantedWallet, into: readonly string[]): Joined[] {
  return wallet ? [{ into, table: wallets, only: wallet.only }] : [];
}

/** Wallets by their merchants' numbers. `only`: the wanted properties; of the others only the number is set. */
export function loadWallets({ database }: DatabaseAccess, scope: Scope, ids: readonly string[], only?: Only) {
  return loadFew<WalletRecord>(database, wallets, ids, scope, { only });
}
