import { createHash } from 'node:crypto';
import type { AuditRecord } from './operator.ts';

/** SHA-256 over the previous record's hash and this record's fields as a JSON array, in hex. */
export function auditHash(previousHash: string, record: Omit<AuditRecord, 'hash' | 'commandId'>): string {
  const { merchantId, auditNo, actor, approver, action, subject, reason, detail, at } = record;
  const text = JSON.stringify([merchantId, auditNo, actor, approver, action, subject, reason, detail, at]);
  return createHash('sha256').update(previousHash).update(text).digest('hex');
}
