import { columnsOf } from '../../database/columns.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { AuditFindingRow } from '../../database/entities/audit.ts';

/** A violation of the ledger that was found, until operators close it: repaired, or accepted as it is. Times are Unix milliseconds. */
export interface Finding {
  merchantId: string;
  findingNo: number;
  rule: string;
  /** What it is about: an order, an entry, a transfer, a decision, an account; the wallet itself where it is empty. */
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
