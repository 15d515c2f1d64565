import { z } from 'zod';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { AuditFindingRow } from '../database/entities/audit.ts';
import { given, isOneOf } from '../lists/conditions.ts';
import { anyOf, merchantIds, text } from '../lists/filter-parts.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';

export const auditFindingFilter = z.strictObject({
  merchantIds,
  states: anyOf(z.enum(['open', 'repaired', 'accepted'])),
  rules: anyOf(text),
});
export type AuditFindingFilter = z.infer<typeof auditFindingFilter>;

/** A rule of the ledger that the audit found broken. */
export interface FindingRecord {
  merchantId: string;
  findingNo: number;
  rule: string;
  subject: string;
  detail: string;
  state: 'open' | 'repaired' | 'accepted';
  foundAt: number;
  lastFoundAt: number;
  closedAt: number | null;
}

/** The findings of the audit, the newest first. */
export function pageAuditFindings(
  { database }: { database: Database },
  scope: Scope,
  filter: AuditFindingFilter,
  page: PageRequest<'audit_findings'>,
): Promise<Page<FindingRecord>> {
  const wanted = filter.merchantIds ?? null;
  return readPage(
    database.reading,
    {
      table: 'audit_finding',
      columns: columnsOf(database.orm, AuditFindingRow),
      merchants: merchantsToLookUp(wanted, scope),
      indexConditions: () => [],
      rowConditions: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(isOneOf('t.state', filter.states, add), isOneOf('t.rule', filter.rules, add)),
      ],
    },
    page,
  );
}
