import { pageAuditRecords } from '../../configuration/index.ts';
import type { AuditRecord } from '../../core/operator.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import type { Scope } from '../../lists/scope.ts';
import type { ExportedRecords } from '../types.ts';
import { type ColumnOf, type Source, sourceOfList } from './source.ts';

const columns: readonly ColumnOf<AuditRecord>[] = [
  ['at', 'time', ({ at }) => at],
  ['merchant', 'text', ({ merchantId }) => merchantId],
  ['number', 'number', ({ auditNo }) => auditNo],
  ['operator', 'text', ({ actor }) => actor],
  ['second operator', 'text', ({ approver }) => approver],
  ['action', 'text', ({ action }) => action],
  ['subject', 'text', ({ subject }) => subject],
  ['reason', 'text', ({ reason }) => reason],
  ['detail', 'text', ({ detail }) => detail],
  ['batch', 'number', ({ batchNo }) => batchNo],
];

/** Audit records by filter, the newest first. */
export function openAuditRecords(
  domain: DatabaseAccess,
  scope: Scope,
  filter: ExportedRecords,
  maxRows: number,
): Promise<Source> {
  const read = (page: Parameters<typeof pageAuditRecords>[3]) =>
    pageAuditRecords(domain, scope, filter, page, { withDetail: true });
  return sourceOfList<AuditRecord, 'audit_records'>('audit_records', columns, read, maxRows + 1);
}
