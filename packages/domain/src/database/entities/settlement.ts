import { defineEntity, p } from '@mikro-orm/core';
import type { SettledDays, SettledEntries, SettlementSum } from '../../core/settlement.ts';

// Settlements of merchants, and how they are made.

const decimal = () => p.decimal('string');
const time = () => p.datetime(3);

/** When a merchant is settled, and up to which day. A merchant without a cycle is not settled. */
export const SettlementCycleRow = defineEntity({
  name: 'SettlementCycleRow',
  tableName: 'settlement_cycle',
  properties: {
    merchantId: p.text().primary(),
    workingDays: p.integer(),
    weekdays: p.array<string>().columnType('text[]'),
    minimum: decimal(),
    keep: decimal(),
    beginsOn: p.date(),
    accountId: p.text().nullable(),
  },
});

/** A bank account of a merchant: holder, number and bank are sealed. */
export const SettlementAccountRow = defineEntity({
  name: 'SettlementAccountRow',
  tableName: 'settlement_account',
  properties: {
    merchantId: p.text().primary(),
    accountId: p.text().primary(),
    sealed: p.blob().hidden(),
    ending: p.text(),
    createdAt: time().defaultRaw('clock_timestamp()'),
  },
});

/** Up to which day a merchant's cycle was drafted by schedule. */
export const SettlementRunRow = defineEntity({
  name: 'SettlementRunRow',
  tableName: 'settlement_run',
  properties: {
    merchantId: p.text().primary(),
    day: p.date(),
    state: p.text(),
    attempts: p.integer().default(0),
    nextAt: time().defaultRaw('clock_timestamp()'),
  },
});

export const SettlementRow = defineEntity({
  name: 'SettlementRow',
  tableName: 'settlement',
  properties: {
    merchantId: p.text().primary(),
    seq: p.bigint('number').primary(),
    settlementNo: p.text(),
    state: p.text(),
    currency: p.text(),
    version: p.integer(),
    runDay: p.date(),
    cutOff: p.date(),
    opening: decimal(),
    sums: p.json<SettlementSum[]>().columnType('jsonb'),
    closing: decimal(),
    pending: decimal(),
    keep: decimal(),
    held: decimal().default('0.00'),
    amount: decimal(),
    settledBefore: p.json<SettledDays>().columnType('jsonb'),
    settledDays: p.json<SettledDays>().columnType('jsonb'),
    settledEntries: p.json<SettledEntries>().columnType('jsonb').nullable(),
    scanAfter: p.bigint('number'),
    afterEntryNo: p.bigint('number'),
    throughEntryNo: p.bigint('number'),
    pendingAfter: p.bigint('number'),
    accountId: p.text().nullable(),
    reference: p.text().nullable(),
    fileNo: p.text().nullable(),
    caseNo: p.bigint('number').nullable(),
    debitLine: p.text().nullable(),
    returnLine: p.text().nullable(),
    channelId: p.text().nullable(),
    paymentNo: p.text().nullable(),
    channelBankCode: p.text().nullable(),
    channelRef: p.text().nullable(),
    answer: p.text().nullable(),
    nextAction: p.text().nullable(),
    nextActionAt: time().nullable(),
    attempt: p.integer().default(0),
    commandId: p.uuid().nullable(),
    transferNo: p.bigint('number').nullable(),
    returnTransferNo: p.bigint('number').nullable(),
    draftedAt: time(),
    approvedAt: time().nullable(),
    paidAt: time().nullable(),
    confirmedAt: time().nullable(),
    failedAt: time().nullable(),
  },
});

/** A bank file of settlements. Its content is made from its settlements and accounts, which never change. */
export const SettlementFileRow = defineEntity({
  name: 'SettlementFileRow',
  tableName: 'settlement_file',
  properties: {
    merchantId: p.text().primary(),
    fileNo: p.text().primary(),
    state: p.text(),
    currency: p.text(),
    accountId: p.text(),
    executionDay: p.date(),
    settlements: p.integer().default(0),
    total: decimal().default('0.00'),
    sha256: p.text().nullable(),
    debitLine: p.text().nullable(),
    downloadedAt: time().nullable(),
    createdBy: p.text(),
    createdAt: time().defaultRaw('clock_timestamp()'),
  },
});
