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
