import { defineEntity, p } from '@mikro-orm/core';

// The progress of the audit and its findings. No other code writes these tables.

export const AuditRunRow = defineEntity({
  name: 'AuditRunRow',
  tableName: 'audit_run',
  properties: {
    run: p.text().primary(),
    holder: p.text().nullable(),
    heldUntil: p.datetime(3).nullable(),
    position: p.json<object>().nullable(),
    startedAt: p.datetime(3).nullable(),
    finishedAt: p.datetime(3).nullable(),
    finishedRuns: p.bigint('number'),
    lastSteps: p.bigint('number').nullable(),
  },
});

export const AuditCheckpointRow = defineEntity({
  name: 'AuditCheckpointRow',
  tableName: 'audit_checkpoint',
  properties: {
    merchantId: p.text().primary(),
    position: p.json<object>(),
    walletSeen: p.text().nullable(),
    checkedAt: p.datetime(3),
  },
});

export const AuditFindingRow = defineEntity({
  name: 'AuditFindingRow',
  tableName: 'audit_finding',
  properties: {
    merchantId: p.text().primary(),
    findingNo: p.bigint('number').primary(),
    rule: p.text(),
    subject: p.text(),
    detail: p.text(),
    state: p.text(),
    foundAt: p.datetime(3),
    lastFoundAt: p.datetime(3),
    closedAt: p.datetime(3).nullable(),
  },
});

export const PayoutStopRow = defineEntity({
  name: 'PayoutStopRow',
  tableName: 'payout_stop',
  properties: {
    merchantId: p.text().primary(),
    findingNo: p.bigint('number').primary(),
    stoppedAt: p.datetime(3),
    releasedAt: p.datetime(3).nullable(),
  },
});

export const SealKeyRow = defineEntity({
  name: 'SealKeyRow',
  tableName: 'seal_key',
  properties: {
    keyId: p.text().primary(),
    privateKey: p.blob(),
    createdAt: p.datetime(3),
  },
});

export const PeriodSealRow = defineEntity({
  name: 'PeriodSealRow',
  tableName: 'period_seal',
  properties: {
    merchantId: p.text().primary(),
    sealNo: p.integer().primary(),
    period: p.text(),
    rows: p.bigint('number'),
    content: p.text(),
    keyId: p.text(),
    signature: p.text(),
    sealedAt: p.datetime(3),
    filedAt: p.datetime(3).nullable(),
    verifiedAt: p.datetime(3).nullable(),
  },
});

export const PeriodWalkRow = defineEntity({
  name: 'PeriodWalkRow',
  tableName: 'period_walk',
  properties: {
    merchantId: p.text().primary(),
    walk: p.json<object>(),
    walkedAt: p.datetime(3),
  },
});
