import { defineEntity, p } from '@mikro-orm/core';

// Statements, expectations, matches, breaks and days. Written by `packages/domain/src/reconciliation`.

const bigint = () => p.bigint('number');
const day = () => p.date();
const decimal = () => p.decimal('string');

export const ReconciledChannelRow = defineEntity({
  name: 'ReconciledChannelRow',
  tableName: 'reconciled_channel',
  properties: {
    merchantId: p.text().primary(),
    channelId: p.text().primary(),
    beginsOn: day(),
    tolerance: decimal().default('0'),
    account: p.text().nullable(),
    fetches: p.boolean().default(false),
  },
});

export const StatementFileRow = defineEntity({
  name: 'StatementFileRow',
  tableName: 'statement_file',
  properties: {
    merchantId: p.text().primary(),
    fileNo: bigint().primary(),
    state: p.text().default('uploading'),
    channelId: p.text().nullable(),
    format: p.text().nullable(),
    formatVersion: p.integer().nullable(),
    name: p.text(),
    size: bigint().default(0),
    sha256: p.text().nullable(),
    refusal: p.text().nullable(),
    lines: p.integer().nullable(),
    unparsed: p.integer().nullable(),
    firstDay: day().nullable(),
    lastDay: day().nullable(),
    coveredUntil: day().nullable(),
    totalIn: decimal().nullable(),
    totalOut: decimal().nullable(),
    opening: decimal().nullable(),
    closing: decimal().nullable(),
    uploadedBy: p.text(),
    uploadedAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    importedAt: p.datetime(3).nullable(),
    fetchedDay: day().nullable(),
    confirmedBy: p.text().nullable(),
    confirmedAt: p.datetime(3).nullable(),
    importedBy: p.array(),
    contentNo: p.integer().default(0),
    contentDeletedAt: p.datetime(3).nullable(),
  },
});

export const StatementFetchRow = defineEntity({
  name: 'StatementFetchRow',
  tableName: 'statement_fetch',
  properties: {
    merchantId: p.text().primary(),
    channelId: p.text().primary(),
    format: p.text().primary(),
    day: day().primary(),
    state: p.text().default('due'),
    attempts: p.integer().default(0),
    nextAt: p.datetime(3),
    giveUpAt: p.datetime(3),
    outcome: p.text().nullable(),
    detail: p.text().nullable(),
    holder: p.text().nullable(),
    heldUntil: p.datetime(3).nullable(),
    requestedBy: p.text().name('asked_by').nullable(),
    fileNo: bigint().nullable(),
    bytes: bigint().default(0),
  },
});

export const StatementChunkRow = defineEntity({
  name: 'StatementChunkRow',
  tableName: 'statement_chunk',
  properties: {
    merchantId: p.text().primary(),
    fileNo: bigint().primary(),
    chunkNo: p.integer().primary(),
    content: p.blob().hidden(),
  },
});

export const StatementLineRow = defineEntity({
  name: 'StatementLineRow',
  tableName: 'statement_line',
  properties: {
    merchantId: p.text().primary(),
    fileNo: bigint().primary(),
    lineNo: p.integer().primary(),
    part: p.integer().primary(),
    channelId: p.text(),
    day: day(),
    formatVersion: p.integer(),
    type: p.text(),
    direction: p.text(),
    gross: decimal(),
    fee: decimal(),
    tax: decimal(),
    net: decimal(),
    currency: p.text(),
    occurredAt: p.datetime(3).nullable(),
    channelRef: p.text().nullable(),
    orderNo: p.text().nullable(),
    bankRef: p.text().nullable(),
    settlementRef: p.text().nullable(),
    balanceAfter: decimal().nullable(),
  },
});

export const StatementBalanceRow = defineEntity({
  name: 'StatementBalanceRow',
  tableName: 'statement_balance',
  properties: {
    merchantId: p.text().primary(),
    fileNo: bigint().primary(),
    place: p.integer().primary(),
    channelId: p.text(),
    firstDay: day(),
    lastDay: day(),
    opening: decimal(),
    closing: decimal(),
    isCurrent: p.boolean().default(true),
  },
});

export const StatementUnparsedRow = defineEntity({
  name: 'StatementUnparsedRow',
  tableName: 'statement_unparsed',
  properties: {
    merchantId: p.text().primary(),
    fileNo: bigint().primary(),
    lineNo: p.integer().primary(),
    reason: p.text(),
  },
});

export const StatementExpectationRow = defineEntity({
  name: 'StatementExpectationRow',
  tableName: 'statement_expectation',
  properties: {
    merchantId: p.text().primary(),
    transferNo: bigint().primary(),
    tenant: p.text(),
    channelId: p.text(),
    day: day(),
    cause: p.text(),
    direction: p.text(),
    amount: decimal(),
    orderNo: p.text().nullable(),
    channelRef: p.text().nullable(),
    orderRef: p.text().nullable(),
    bankRef: p.text().nullable(),
    postedAt: p.datetime(3),
  },
});

export const ExpectationProgressRow = defineEntity({
  name: 'ExpectationProgressRow',
  tableName: 'expectation_progress',
  properties: { merchantId: p.text().primary(), transferNo: bigint(), movedAt: p.datetime(3) },
});

export const MatchedLineRow = defineEntity({
  name: 'MatchedLineRow',
  tableName: 'matched_line',
  properties: {
    merchantId: p.text().primary(),
    fileNo: bigint().primary(),
    lineNo: p.integer().primary(),
    part: p.integer().primary(),
    matchNo: bigint(),
    rule: p.text(),
    difference: decimal().default('0'),
    matchedAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
});

export const SupersededLineRow = defineEntity({
  name: 'SupersededLineRow',
  tableName: 'superseded_line',
  properties: {
    merchantId: p.text().primary(),
    fileNo: bigint().primary(),
    lineNo: p.integer().primary(),
    part: p.integer().primary(),
    byFileNo: bigint(),
    supersededAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
});

export const MatchedExpectationRow = defineEntity({
  name: 'MatchedExpectationRow',
  tableName: 'matched_expectation',
  properties: {
    merchantId: p.text().primary(),
    transferNo: bigint().primary(),
    tenant: p.text(),
    matchNo: bigint(),
    matchedAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
});

export const ReconciliationBreakRow = defineEntity({
  name: 'ReconciliationBreakRow',
  tableName: 'reconciliation_break',
  properties: {
    merchantId: p.text().primary(),
    breakNo: bigint().primary(),
    channelId: p.text(),
    day: day(),
    subject: p.text(),
    kind: p.text(),
    state: p.text().default('open'),
    amount: decimal(),
    fileNo: bigint().nullable(),
    lineNo: p.integer().nullable(),
    part: p.integer().nullable(),
    ownerId: p.text().nullable(),
    transferNo: bigint().nullable(),
    orderNo: p.text().nullable(),
    creditedId: p.text().nullable(),
    creditedTransferNo: bigint().nullable(),
    writtenOff: decimal().default('0'),
    account: p.text().nullable(),
    since: day().nullable(),
    decidedBy: p.text().nullable(),
    approver: p.text().nullable(),
    names: p.text().nullable(),
    answers: bigint().nullable(),
    matchNo: bigint().nullable(),
    reason: p.text().nullable(),
    openedAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    decidedAt: p.datetime(3).nullable(),
    closedAt: p.datetime(3).nullable(),
  },
});

export const ReconciliationDayRow = defineEntity({
  name: 'ReconciliationDayRow',
  tableName: 'reconciliation_day',
  properties: {
    merchantId: p.text().primary(),
    channelId: p.text().primary(),
    day: day().primary(),
    state: p.text().default('open'),
    isCovered: p.boolean().default(false),
    isPart: p.boolean().default(false),
    isDue: p.boolean().default(false),
    lines: p.integer().default(0),
    statementNet: decimal().default('0'),
    expectations: p.integer().default(0),
    ledgerNet: decimal().default('0'),
    ledgerGross: decimal().default('0'),
    tolerated: decimal().default('0'),
    closedBy: p.text().nullable(),
    approver: p.text().nullable(),
    closedAt: p.datetime(3).nullable(),
    reopenedBy: p.text().nullable(),
    reopenedAt: p.datetime(3).nullable(),
  },
});
