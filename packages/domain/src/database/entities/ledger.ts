import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Merchant } from './merchant.ts';

// Wallets, their entries, transfers and cases, and the ledger chain.

export const WalletRow = defineEntity({
  name: 'WalletRow',
  tableName: 'wallet',
  properties: {
    merchant: () => p.oneToOne(Merchant).primary().owner().joinColumn('merchant_id'),
    currency: p.text(),
    available: p.decimal('string').default('0'),
    frozen: p.decimal('string').default('0'),
    withheld: p.decimal('string').default('0'),
    lastEntryNo: p.bigint('number').default(0),
    lastTransferNo: p.bigint('number').default(0),
    lastCaseNo: p.bigint('number').default(0),
    lastAuditNo: p.bigint('number').default(0),
    lastBatchNo: p.bigint('number').default(0),
    lastBatchHash: p.text().defaultRaw("repeat('0', 64)"),
    updatedAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    recordedAt: p.datetime(3).defaultRaw("'epoch'"),
  },
});

/** What the ledger writer changes of wallets. All other columns stay as they were inserted. */
export const walletChanges = [
  'available',
  'frozen',
  'lastEntryNo',
  'lastTransferNo',
  'lastCaseNo',
  'lastAuditNo',
  'lastBatchNo',
  'lastBatchHash',
  'updatedAt',
  'recordedAt',
] as const satisfies readonly (keyof InferEntity<typeof WalletRow>)[];

/** Money of a channel that turned out to be a test account, by merchant. */
export const WithheldMoneyRow = defineEntity({
  name: 'WithheldMoneyRow',
  tableName: 'withheld_money',
  properties: {
    merchantId: p.text().primary(),
    channelId: p.text().primary(),
    amount: p.decimal('string'),
    released: p.decimal('string'),
    changedAt: p.datetime(3),
  },
});

export const WalletEntryRow = defineEntity({
  name: 'WalletEntryRow',
  tableName: 'wallet_entry',
  properties: {
    merchantId: p.text().primary(),
    entryNo: p.bigint('number').primary(),
    type: p.text(),
    availableChange: p.decimal('string'),
    frozenChange: p.decimal('string'),
    availableBefore: p.decimal('string'),
    availableAfter: p.decimal('string'),
    frozenBefore: p.decimal('string'),
    frozenAfter: p.decimal('string'),
    orderNo: p.text().nullable(),
    merchantOrderNo: p.text().nullable(),
    remark: p.text().nullable(),
    bookingNo: p.text().nullable(),
    createdAt: p.datetime(3),
    counter: p.text().nullable(),
    corrects: p.text().nullable(),
    batchNo: p.bigint('number'),
  },
});

export const TransferRow = defineEntity({
  name: 'TransferRow',
  tableName: 'transfer',
  properties: {
    merchantId: p.text().primary(),
    transferNo: p.bigint('number').primary(),
    debit: p.text(),
    credit: p.text(),
    currency: p.text(),
    amount: p.decimal('string'),
    cause: p.text(),
    orderNo: p.text().nullable(),
    createdAt: p.datetime(3),
    batchNo: p.bigint('number'),
  },
});

export const MoneyCaseRow = defineEntity({
  name: 'MoneyCaseRow',
  tableName: 'money_case',
  properties: {
    merchantId: p.text().primary(),
    caseNo: p.bigint('number').primary(),
    kind: p.text(),
    state: p.text(),
    orderNo: p.text().nullable(),
    channelId: p.text(),
    reference: p.text().nullable(),
    currency: p.text(),
    amount: p.decimal('string'),
    detail: p.text(),
    openedAt: p.datetime(3),
    closedAt: p.datetime(3).nullable(),
    refundNo: p.text().nullable(),
    paymentOrderNo: p.text().nullable(),
    cameBack: p.decimal('string').default('0'),
    batchNo: p.bigint('number'),
  },
});

/** What the ledger writer changes of cases. */
export const caseChanges = ['state', 'closedAt', 'refundNo', 'cameBack'] as const satisfies readonly (keyof InferEntity<
  typeof MoneyCaseRow
>)[];

export const RefundRow = defineEntity({
  name: 'RefundRow',
  tableName: 'refund',
  properties: {
    merchantId: p.text().primary(),
    refundNo: p.text().primary(),
    caseNo: p.bigint('number'),
    channelId: p.text(),
    orderNo: p.text(),
    reference: p.text(),
    currency: p.text(),
    amount: p.decimal('string'),
    reason: p.text(),
    state: p.text(),
    refundRef: p.text().nullable(),
    answer: p.text().nullable(),
    nextAction: p.text().nullable(),
    nextActionAt: p.datetime(3).nullable(),
    attempt: p.integer(),
    sends: p.integer(),
    transferNo: p.bigint('number').nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
    commandId: p.uuid().nullable(),
  },
});

/** What the ledger writer changes of refunds. */
export const refundChanges = [
  'state',
  'refundRef',
  'answer',
  'nextAction',
  'nextActionAt',
  'attempt',
  'sends',
  'transferNo',
  'updatedAt',
  'endedAt',
  'commandId',
] as const satisfies readonly (keyof InferEntity<typeof RefundRow>)[];

export const LedgerBatchRow = defineEntity({
  name: 'LedgerBatchRow',
  tableName: 'ledger_batch',
  properties: {
    merchantId: p.text().primary(),
    batchNo: p.bigint('number').primary(),
    at: p.datetime(3),
    rows: p.array<string>().columnType('text[]'),
    hash: p.text(),
  },
});
