import { z } from 'zod';
import type { Approval } from '../core/approval.ts';
import type { Database, DatabaseAccess } from '../database/database.ts';
import { ApprovalRow } from '../database/entities/access.ts';
import { readPrimary } from '../database/reading.ts';
import { given, is, isAbout, isOneOf } from '../lists/conditions.ts';
import { countRows } from '../lists/count-rows.ts';
import { anyOf, merchantIds, text } from '../lists/filter-parts.ts';
import type { Listing } from '../lists/listing.ts';
import { type Lookup, loadRows, ofMerchant } from '../lists/load-rows.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { amongMerchants, merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';
import type { Add } from '../lists/values.ts';
import { approvalById } from './approvals.ts';
import { approvalColumns, approvalState, type Decidable, isDecidable } from './queries.ts';

export const approvalFilter = z.strictObject({
  merchantIds,
  states: anyOf(z.enum(['pending', 'executed', 'rejected', 'expired', 'failed', 'withdrawn'])),
  operations: anyOf(text),
  requestedBy: text.nullish(),
  subject: text.nullish(),
});
export type ApprovalFilter = z.infer<typeof approvalFilter>;

const approvals: Lookup = { ...ofMerchant(ApprovalRow, ['approval_id', 'text']), omitted: ['secrets'] };

/** Approvals by their keys, in that order; null where there is none, or where it is out of scope. */
export async function loadApprovals(
  { database }: { database: Database },
  scope: Scope,
  refs: readonly { merchantId: string; approvalId: string }[],
): Promise<(Approval | null)[]> {
  const keys = refs.map(({ merchantId, approvalId }) => [merchantId, approvalId]);
  const rows = await loadRows<Approval>(database, approvals, keys, scope);
  const isOver = ({ state, expiresAt }: Approval): boolean => state === 'pending' && expiresAt <= Date.now();
  return rows.map((row) => (row && isOver(row) ? { ...row, state: 'expired' } : row));
}

/** An approval by its id; null where there is none, or where it is out of scope. */
export async function findApproval(domain: DatabaseAccess, scope: Scope, approvalId: string): Promise<Approval | null> {
  const found = await approvalById(domain, approvalId);
  const [seen] = found ? await loadApprovals(domain, scope, [found]) : [];
  return seen ?? null;
}

/** Approvals by the time of their request, the newest first. `decidable`: only these pending ones; null: none. */
export function pageApprovals(
  { database }: { database: Database },
  scope: Scope,
  filter: ApprovalFilter,
  page: PageRequest<'approvals'>,
  decidable?: Decidable | null,
): Promise<Page<Approval>> {
  return readPage(database.reading, listingOf(database, scope, filter, decidable), page);
}

/** How many approvals within the scope are among `decidable`, at most `most`. Reads the primary database. */
export async function countDecidable(
  { database }: DatabaseAccess,
  scope: Scope,
  decidable: Decidable,
  most: number,
): Promise<number> {
  const { count } = await countRows(
    readPrimary(database.pool),
    { ...listingOf(database, scope, {}, decidable), order: '' },
    most,
  );
  return count;
}

function listingOf(
  { orm }: Pick<Database, 'orm'>,
  scope: Scope,
  filter: ApprovalFilter,
  decidable: Decidable | null | undefined,
): Listing {
  const wanted = filter.merchantIds ?? null;
  const filters = (add: Add): string[] =>
    given(
      isOneOf(`(${approvalState})`, filter.states, add),
      isOneOf('t.operation', filter.operations, add),
      is('t.asked_by', filter.requestedBy, add),
      filter.subject == null ? null : isAbout(add(filter.subject)),
    );
  const listing = { table: 'approval', columns: approvalColumns(orm) };
  if (decidable === null) return { ...listing, merchants: [], indexConditions: () => [], rowConditions: () => [] };
  if (decidable !== undefined)
    return {
      ...listing,
      merchants: null,
      // Few approvals are pending, and an index has exactly these. So none is left out, however many others there are.
      indexConditions: (add) => [
        ...isDecidable(decidable, scope, add),
        ...amongMerchants(wanted, scope, add),
        ...filters(add),
      ],
      rowConditions: () => [],
    };
  return {
    ...listing,
    merchants: merchantsToLookUp(wanted, scope),
    indexConditions: () => [],
    rowConditions: (add) => [...ofMerchants(wanted, scope, add), ...filters(add)],
  };
}
