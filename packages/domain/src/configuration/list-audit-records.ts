import { z } from 'zod';
import type { AuditRecord } from '../core/operator.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { AuditRecordRow } from '../database/entities/access.ts';
import { given, hasText, is, isOneOf, isWithin } from '../lists/conditions.ts';
import { anyOf, merchantIds, text, time } from '../lists/filter-parts.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';

export const auditRecordFilter = z.strictObject({
  /** `PLATFORM`: records that concern no merchant. */
  merchantIds,
  actor: text.nullish(),
  actions: anyOf(text),
  subject: text.nullish(),
  from: time.nullish(),
  to: time.nullish(),
  text: text.nullish(),
});
export type AuditRecordFilter = z.infer<typeof auditRecordFilter>;

/** Columns that are searched for a text. Details can hold personal data. */
const texts = ['t.action', 't.subject', 't.reason', 't.actor', 't.approver'];

/** Audit records of all merchants or of some, the newest first. `withDetail`: a text is looked for in details too. */
export function pageAuditRecords(
  { database }: { database: Database },
  scope: Scope,
  filter: AuditRecordFilter,
  page: PageRequest<'audit_records'>,
  { withDetail = false }: { withDetail?: boolean } = {},
): Promise<Page<AuditRecord>> {
  const wanted = filter.merchantIds ?? null;
  return readPage(
    database.reading,
    {
      table: 'audit_record',
      columns: columnsOf(database.orm, AuditRecordRow),
      merchants: merchantsToLookUp(wanted, scope),
      indexConditions: (add) => isWithin('t.at', filter.from, filter.to, add),
      rowConditions: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(
          filter.actor == null ? null : `${add(filter.actor)} in (t.actor, t.approver)`,
          isOneOf('t.action', filter.actions, add),
          is('t.subject', filter.subject, add),
          hasText(withDetail ? [...texts, 't.detail'] : texts, filter.text, add),
        ),
      ],
    },
    page,
  );
}
