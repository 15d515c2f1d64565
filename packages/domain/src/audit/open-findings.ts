import { columnsOf } from '../database/columns.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { AuditFindingRow } from '../database/entities/audit.ts';

/** A violation of the ledger, until operators close it as repaired or accepted. Times are Unix milliseconds. */
export interface Finding {
  merchantId: string;
  findingNo: number;
  rule: string;
  /** The subject: an order, an entry, a transfer, a decision, an account. Empty for the wallet itself. */
  subject: string;
  detail: string;
  state: 'open' | 'repaired' | 'accepted';
  foundAt: number;
  lastFoundAt: number;
  closedAt: number | null;
}

/** Open findings, the oldest first, at most `limit`. */
export async function openFindings(domain: DatabaseAccess, limit: number): Promise<Finding[]> {
  const text = `select ${columnsOf(domain.database.orm, AuditFindingRow)} from audit_finding t
    where state = 'open' order by found_at, finding_no limit $1`;
  return (await domain.database.pool.query<Finding>(text, [limit])).rows;
}
