import type { Transfer } from '../core/ledger.ts';
import type { Notification } from '../core/notification.ts';
import type { AuditRecord } from '../core/operator.ts';
import type { Order, OrderRef, OrderStatus } from '../core/order.ts';
import type { MoneyCase, Payment } from '../core/payment.ts';
import type { WalletEntry } from '../core/wallet.ts';
import type { Database } from '../store/database.ts';
import { AuditRecordRow, Operator } from '../store/entities/access.ts';
import { ChannelRow } from '../store/entities/channel.ts';
import { MoneyCaseRow, TransferRow, WalletEntryRow } from '../store/entities/ledger.ts';
import { NotificationRow, OrderRow, PaymentRow } from '../store/entities/order.ts';
import type { SmallTable } from './beside.ts';
import { channelsInScope } from './channels-in-scope.ts';
import { loadFew } from './load-few.ts';
import { type Lookup, loadRows } from './load-rows.ts';
import {
  type MerchantWithWallet,
  merchants,
  type WalletRecord,
  type WantedMerchant,
  walletBeside,
  wallets,
} from './merchant-tables.ts';
import type { Only } from './only.ts';
import { type ChannelRecord, channelSecrets } from './page-channels.ts';
import type { OperatorRecord } from './page-operators.ts';
import { type Scope, unrestricted } from './scope.ts';

// Rows by key, for dataloaders and global ids: each gives what `loadRows` says, in the order of what was asked for.

interface Reading {
  database: Database;
}

const merchantId = ['merchant_id', 'text'] as const;
const orderNo = ['order_no', 'text'] as const;

const ofMerchant = (entity: Lookup['entity'], ...key: Lookup['key']): Lookup => ({
  entity,
  key: [merchantId, ...key],
  isOfMerchant: true,
});

const orders = ofMerchant(OrderRow, orderNo);
const ordersByMerchantOrderNo = ofMerchant(OrderRow, ['merchant_order_no', 'text']);
const entries = ofMerchant(WalletEntryRow, ['entry_no', 'bigint']);
const transfers = ofMerchant(TransferRow, ['transfer_no', 'bigint']);
const payments = ofMerchant(PaymentRow, orderNo, ['reference', 'text']);
const cases = ofMerchant(MoneyCaseRow, ['case_no', 'bigint']);
const notifications = ofMerchant(NotificationRow, orderNo, ['status', 'text']);
const auditRecords = ofMerchant(AuditRecordRow, ['audit_no', 'bigint']);
const channels: SmallTable = {
  entity: ChannelRow,
  omitted: channelSecrets,
  key: ['channelId', 'channel_id'],
  isOfMerchant: false,
};
const operators: SmallTable = { entity: Operator, key: ['operatorId', 'operator_id'], isOfMerchant: false };

/** With their wallets where these are wanted; what is not wanted is missing, but their numbers. */
export function loadMerchants(
  { database }: Reading,
  scope: Scope,
  ids: readonly string[],
  wanted: WantedMerchant = {},
) {
  const besides = walletBeside(wanted, ['wallet']);
  return loadFew<MerchantWithWallet>(database, merchants, ids, scope, { only: wanted.only, besides });
}

/** Wallets by their merchants' numbers. `only`: properties that are wanted; others are missing but the number. */
export function loadWallets({ database }: Reading, scope: Scope, ids: readonly string[], only?: Only) {
  return loadFew<WalletRecord>(database, wallets, ids, scope, { only });
}

export function loadOrders({ database }: Reading, scope: Scope, refs: readonly OrderRef[]) {
  return loadRows<Order>(
    database,
    orders,
    refs.map((ref) => [ref.merchantId, ref.orderNo]),
    scope,
  );
}

/** Orders by their merchants' own numbers. */
export function loadOrdersByMerchantOrderNo(
  { database }: Reading,
  scope: Scope,
  refs: readonly { merchantId: string; merchantOrderNo: string }[],
) {
  const keys = refs.map((ref) => [ref.merchantId, ref.merchantOrderNo]);
  return loadRows<Order>(database, ordersByMerchantOrderNo, keys, scope);
}

export function loadWalletEntries(
  { database }: Reading,
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
  { database }: Reading,
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

export function loadPayments({ database }: Reading, scope: Scope, refs: readonly (OrderRef & { reference: string })[]) {
  return loadRows<Payment>(
    database,
    payments,
    refs.map((ref) => [ref.merchantId, ref.orderNo, ref.reference]),
    scope,
  );
}

export function loadMoneyCases(
  { database }: Reading,
  scope: Scope,
  refs: readonly { merchantId: string; caseNo: number }[],
) {
  return loadRows<MoneyCase>(
    database,
    cases,
    refs.map((ref) => [ref.merchantId, ref.caseNo]),
    scope,
  );
}

export function loadNotifications(
  { database }: Reading,
  scope: Scope,
  refs: readonly (OrderRef & { status: OrderStatus })[],
) {
  return loadRows<Notification>(
    database,
    notifications,
    refs.map((ref) => [ref.merchantId, ref.orderNo, ref.status]),
    scope,
  );
}

export function loadAuditRecords(
  { database }: Reading,
  scope: Scope,
  refs: readonly { merchantId: string; auditNo: number }[],
) {
  return loadRows<AuditRecord>(
    database,
    auditRecords,
    refs.map((ref) => [ref.merchantId, ref.auditNo]),
    scope,
  );
}

/** Channels by id, without their credentials: null for one that no route within scope leads to. */
export async function loadChannels({ database }: Reading, scope: Scope, ids: readonly string[]) {
  const [found, seen] = await Promise.all([
    loadFew<ChannelRecord>(database, channels, ids, unrestricted),
    channelsInScope(database, scope, ids),
  ]);
  return found.map((channel) => (channel && seen.has(channel.channelId) ? channel : null));
}

/** Operators by id. Who may see them is for the caller to say. */
export function loadOperators({ database }: Reading, ids: readonly string[]) {
  return loadFew<OperatorRecord>(database, operators, ids, unrestricted);
}
