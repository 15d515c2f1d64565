import { Merchant } from '../database/entities/merchant.ts';
import { joinedWallet, type WalletRecord, type WantedWallet } from '../ledger/index.ts';
import type { Joined, SmallTable } from '../lists/joined-rows.ts';
import type { Only } from '../lists/only.ts';
import type { MerchantRecord } from './list-merchants.ts';

/** A merchant, with its wallet if that was read too. */
export type MerchantWithWallet = MerchantRecord & { wallet?: WalletRecord };

/** The wanted properties of a merchant and of its wallet; undefined: all of the merchant, and no wallet. */
export interface WantedMerchant extends WantedWallet {
  only?: Only;
}

export const merchants: SmallTable = {
  entity: Merchant,
  omitted: ['tag'],
  key: ['merchantId', 'merchant_id'],
  isOfMerchant: true,
};

/** Joins a merchant, and its wallet if wanted, to rows that have a merchant number. */
export function joinedMerchant(wanted: WantedMerchant, into: string): [Joined, ...Joined[]] {
  return [{ into: [into], table: merchants, only: wanted.only }, ...joinedWallet(wanted, [into, 'wallet'])];
}
