import { auditHash } from '../../core/audit-hash.ts';
import type { AuditRecord } from '../../core/operator.ts';
import { firstEntryHash } from '../../core/wallet.ts';
import { AuditRecordRow } from '../../store/entities/access.ts';
import { columnsOf } from '../../store/statements.ts';
import type { Domain } from '../domain.ts';
import { brokenLinks } from './hash-chain.ts';

const pageSize = 5_000;

/** What is always true of the records of operators' decisions, as queries like those of the ledger's rules. */
export const decisionRules: Record<string, string> = {
  'decisions are numbered without gaps': `
    select w.merchant_id, format('last decision %s, counted %s up to %s', w.last_audit_no, a.counted, a.last) as detail
    from wallet w cross join lateral (
      select count(*) as counted, coalesce(max(audit_no), 0) as last from audit_record a where a.merchant_id = w.merchant_id) a
    where w.last_audit_no <> a.counted or a.counted <> a.last`,

  'the wallet knows the last decision': `
    select w.merchant_id, format('decision %s has another hash than the wallet knows', w.last_audit_no) as detail
    from wallet w left join audit_record a on a.merchant_id = w.merchant_id and a.audit_no = w.last_audit_no
    where w.last_audit_hash <> coalesce(a.hash, repeat('0', 64))`,
};

/** Records of decisions whose hashes do not follow from the ones before. */
export function changedDecisions(
  domain: Domain,
  read: (text: string, values: unknown[]) => Promise<AuditRecord[]>,
  limit: number,
): Promise<AuditRecord[]> {
  const text = `select ${columnsOf(domain.database.orm, AuditRecordRow)} from audit_record t
    where (merchant_id, audit_no) > ($1, $2) order by merchant_id, audit_no limit ${pageSize}`;
  const chain = {
    pageAfter: (last: AuditRecord | null) => read(text, [last?.merchantId ?? '', last?.auditNo ?? 0]),
    hashOf: (previous: string, { hash: _, ...unhashed }: AuditRecord) => auditHash(previous, unhashed),
    ...{ pageSize, first: firstEntryHash },
  };
  return brokenLinks(chain, limit);
}
