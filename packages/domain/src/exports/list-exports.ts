import { hasRole, type OperatorContext } from '../core/operator-rights.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database, DatabaseAccess } from '../database/database.ts';
import { DataExportRow } from '../database/entities/export.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { type Add, collectValues, whereAll } from '../lists/values.ts';
import type { DataExport } from './types.ts';

type Viewer = Pick<OperatorContext, 'operatorId' | 'roles' | 'countries' | 'merchantIds'>;

const unread = ['input', 'runNo', 'leasedUntil'];

/** Exports by the time of their request, the newest first: the operator's own, for admins all that their restriction covers. */
export function pageExports(
  { database }: { database: Database },
  operator: Viewer,
  page: PageRequest<'exports'>,
): Promise<Page<DataExport>> {
  const isAdmin = hasRole(operator, ['admin']);
  return readPage<DataExport, 'exports'>(
    database.reading,
    {
      table: 'data_export',
      columns: columnsFor(database),
      merchants: null,
      // An index of its own serves the exports of one operator.
      indexConditions: (add) => (isAdmin ? [] : visibleTo(operator, add)),
      rowConditions: (add) => (isAdmin && !isUnrestrictedAdmin(operator) ? visibleTo(operator, add) : []),
    },
    page,
  );
}

/** Exports by their ids, in their order; null for one that does not exist, or that the operator may not see. */
export async function loadExports(
  { database }: DatabaseAccess,
  operator: Viewer,
  exportIds: readonly string[],
): Promise<(DataExport | null)[]> {
  const { values, add } = collectValues();
  const text = `select ${columnsFor(database)} from data_export t${whereAll([
    `t.export_id = any(${add(exportIds.filter((id) => /^[0-9a-f-]{36}$/.test(id)))}::text[])`,
    ...(isUnrestrictedAdmin(operator) ? [] : visibleTo(operator, add)),
  ])}`;
  // Written a moment ago, so the primary is read.
  const { rows } = await database.pool.query<DataExport>(text, values);
  const byId = new Map(rows.map((row) => [row.exportId, row]));
  return exportIds.map((id) => byId.get(id) ?? null);
}

function isUnrestrictedAdmin(operator: Viewer): boolean {
  return hasRole(operator, ['admin']) && operator.countries === null && operator.merchantIds === null;
}

function visibleTo(operator: Viewer, add: Add): string[] {
  const own = `t.requested_by = ${add(operator.operatorId)}`;
  if (!hasRole(operator, ['admin'])) return [own];
  const { countries, merchantIds } = operator;
  // An export that was made without a restriction is visible only to operators without a restriction.
  const covered = [
    ...(countries === null ? [] : [`coalesce(t.countries <@ ${add(countries)}::text[], false)`]),
    ...(merchantIds === null ? [] : [`coalesce(t.merchant_ids <@ ${add(merchantIds)}::text[], false)`]),
  ];
  return [`(${own} or (${covered.join(' and ')}))`];
}

function columnsFor({ orm }: Database): string {
  return `${columnsOf(orm, DataExportRow, unread)}, t.state = 'ready' and t.expires_at <= clock_timestamp() as "isExpired"`;
}
