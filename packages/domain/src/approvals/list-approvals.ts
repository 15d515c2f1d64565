import { z } from 'zod';
import type { Approval } from '../core/approval.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { ApprovalRow } from '../database/entities/access.ts';
import { given, is, isOneOf } from '../lists/conditions.ts';
import { anyOf, merchantIds, text } from '../lists/filter-parts.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';

export const approvalFilter = z.strictObject({
  ...{ merchantIds, states: anyOf(z.enum(['pending', 'executed', 'rejected', 'expired', 'failed', 'withdrawn'])) },
  ...{ operations: anyOf(text), askedBy: text.nullish() },
});
export type ApprovalFilter = z.infer<typeof approvalFilter>;

/** An operation that waits for a second operator, or was decided. */
export interface ApprovalRecord extends Approval {
  operation: string;
  subject: string;
  input: { [name: string]: unknown };
  askedBy: string;
  reason: string;
  askedAt: number;
  /** Why it was rejected, or failed. */
  outcome: string | null;
}

/** By the database's clock: one whose time is over is expired, whoever has noticed. */
const state = `case when t.state = 'pending' and t.expires_at <= clock_timestamp() then 'expired' else t.state end`;

/** Approvals by the time that they were asked for, the newest first. */
export function pageApprovals(
  { database }: { database: Database },
  scope: Scope,
  filter: ApprovalFilter,
  page: PageRequest<'approvals'>,
): Promise<Page<ApprovalRecord>> {
  const wanted = filter.merchantIds ?? null;
  return readPage<ApprovalRecord>(
    database.reading,
    {
      table: 'approval',
      columns: `${columnsOf(database.orm, ApprovalRow, ['state', 'secrets'])}, ${state} as state`,
      key: ['asked_at', 'merchant_id', 'approval_id'],
      direction: 'desc',
      keyOf: ({ askedAt, merchantId, approvalId }) => [askedAt, merchantId, approvalId],
      merchants: merchantsToLookUp(wanted, scope),
      access: () => [],
      filters: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(
          isOneOf(`(${state})`, filter.states, add),
          isOneOf('t.operation', filter.operations, add),
          is('t.asked_by', filter.askedBy, add),
        ),
      ],
    },
    page,
  );
}
