import type { Currency } from '../core/country.ts';
import { WalletRow } from '../store/entities/ledger.ts';
import { Merchant } from '../store/entities/merchant.ts';
import type { Beside, SmallTable } from './beside.ts';
import type { Only } from './only.ts';
import type { MerchantRecord } from './page-merchants.ts';

/** A wallet. Amounts are decimal text in its currency, `updatedAt` is in Unix milliseconds. */
export interface WalletRecord {
  merchantId: string;
  currency: Currency;
  available: string;
  frozen: string;
  lastEntryNo: number;
  updatedAt: number;
}

/** A merchant, with its wallet where that was read too. */
export type MerchantWithWallet = MerchantRecord & { wallet?: WalletRecord };

/** What of a merchant is wanted, and what of its wallet; undefined: all of it, and no wallet. */
export interface WantedMerchant {
  only?: Only;
  wallet?: { only: Only };
}

export const merchants: SmallTable = {
  entity: Merchant,
  omitted: ['tag'],
  key: ['merchantId', 'merchant_id'],
  isOfMerchant: true,
};

export const wallets: SmallTable = {
  entity: WalletRow,
  key: ['merchantId', 'merchant_id'],
  isOfMerchant: true,
  omitted: ['lastEntryHash', 'lastTransferNo', 'lastCaseNo', 'lastAuditNo', 'lastAuditHash'],
};

export function walletBeside({ wallet }: WantedMerchant, into: readonly string[]): Beside[] {
  return wallet ? [{ into, table: wallets, only: wallet.only }] : [];
}

/** A merchant, and its wallet where it is wanted, beside rows that have its number. */
export function merchantBeside(wanted: WantedMerchant, into: string): [Beside, ...Beside[]] {
  return [{ into: [into], table: merchants, only: wanted.only }, ...walletBeside(wanted, [into, 'wallet'])];
}
