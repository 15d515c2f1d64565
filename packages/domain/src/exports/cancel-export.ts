import type { OperatorContext } from '../core/operator-rights.ts';
import type { Outcome } from '../core/rejection.ts';
import { type ChangeAccess, changeConfiguration } from '../ledger/index.ts';
import { loadExports } from './list-exports.ts';
import { cancelSql, dropChunksSql } from './queries.ts';
import type { DataExport } from './types.ts';

/**
 * Cancels an export that waits or is written, or deletes the file of one that is ready: its owner's or, for admins, that of others. Refusals:
 * export_not_found, export_ended.
 */
export async function cancelExport(
  domain: ChangeAccess,
  operator: OperatorContext,
  exportId: string,
): Promise<Outcome<DataExport>> {
  const [found] = await loadExports(domain, operator, [exportId]);
  if (!found) return { ok: false, rejection: 'export_not_found' };
  const by = { actor: operator.operatorId, approver: null, reason: 'an export' };
  const what = { tenant: found.tenant, change: 'cancelExport' };
  const done = await changeConfiguration<null>(domain, what, by, async ({ database }) => {
    const { rows } = await database.pool.query(cancelSql, [exportId]);
    if (rows.length === 0) return { ok: false, rejection: 'export_ended' };
    return { ok: true, value: { subject: `export ${exportId}`, after: { exportId, kind: found.kind }, value: null } };
  });
  if (!done.ok) return done;
  // This runs outside of the transaction, which has locked the wallet of the tenant. If the process crashes here, the
  // rest is purged with the export.
  await domain.database.pool.query(dropChunksSql, [exportId, null]);
  const [value] = await loadExports(domain, operator, [exportId]);
  return value ? { ok: true, value } : { ok: false, rejection: 'export_not_found' };
}
