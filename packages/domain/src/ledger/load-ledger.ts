import type { Transfer } from '../core/ledger.ts';
import type { OrderRef } from '../core/order.ts';
import type { Payment } from '../core/payment.ts';
import type { WalletEntry } from '../core/wallet.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { TransferRow, WalletEntryRow } from '../database/entities/ledger.ts';
import { PaymentRow } from '../database/entities/order.ts';
import { loadFew } from '../lists/load-few.ts';
import { loadRows, ofMerchant } from '../lists/load-rows.ts';
import type { Only } from '../lists/only.ts';
import type { Scope } from '../lists/scope.ts';
import { type WalletRecord, wallets } from './wallet-table.ts';

const entries = ofMerchant(WalletEntryRow, ['entry_no', 'bigint']);
const transfers = ofMerchant(TransferRow, ['transfer_no', 'bigint']);
const payments = ofMerchant(PaymentRow, ['order_no', 'text'], ['reference', 'text']);

/** Wallets by their merchants' numbers. `only`: properties that are wanted; others are missing but the number. */
export function loadWallets({ database }: DatabaseAccess, scope: Scope, ids: readonly string[], only?: Only) {
  return loadFew<WalletRecord>(database, wallets, ids, scope, { only });
}

export function loadWalletEntries(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; entryNo: number }[],
) {
  return loadRows<WalletEntry>(
    database,
    entries,
    refs.map((ref) => [ref.merchantId, ref.entryNo]),
    scope,
  );
}

export function loadTransfers(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; transferNo: number }[],
) {
  return loadRows<Transfer>(
    database,
    transfers,
    refs.map((ref) => [ref.merchantId, ref.transferNo]),
    scope,
  );
}

export function loadPayments(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly (OrderRef & { reference: string })[],
) {
  return loadRows<Payment>(
    database,
    payments,
    refs.map((ref) => [ref.merchantId, ref.orderNo, ref.reference]),
    scope,
  );
}
