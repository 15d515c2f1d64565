import type { OperatorContext } from '../core/operator-rights.ts';
import type { Outcome } from '../core/rejection.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { type ChangeAccess, changeConfiguration } from '../ledger/index.ts';
import type { Scope } from '../lists/scope.ts';
import { loadExports } from './list-exports.ts';
import { chunkSql } from './queries.ts';
import { problemOfExporter } from './request-export.ts';
import type { DataExport } from './types.ts';

export interface Download {
  found: DataExport;
  /** The bytes of the file, read chunk by chunk. Throws if the file is deleted meanwhile. */
  content: AsyncIterable<Buffer>;
}

/**
 * Opens the file of an export for its owner or an admin. They still need the role, and a restriction that covers that with which it was made. The
 * download is recorded before the first byte is given. Refusals: export_not_found, forbidden, export_not_ready, export_expired.
 */
export async function openDownload(
  domain: ChangeAccess,
  operator: OperatorContext,
  exportId: string,
): Promise<Outcome<Download>> {
  const [found] = await loadExports(domain, operator, [exportId]);
  if (!found) return { ok: false, rejection: 'export_not_found' };
  const problem = problemOfExporter(operator, found.kind);
  if (problem) return problem;
  if (!covers(operator, found))
    return { ok: false, rejection: 'forbidden', detail: 'it was made with a wider restriction than you have now' };
  if (found.state !== 'ready') return { ok: false, rejection: 'export_not_ready' };
  if (found.isExpired) return { ok: false, rejection: 'export_expired' };
  const { tenant, kind, sha256, requestedBy } = found;
  const by = { actor: operator.operatorId, approver: null, reason: 'a download' };
  const done = await changeConfiguration<null>(domain, { tenant, change: 'downloadExport' }, by, async () => ({
    ok: true,
    value: { subject: `export ${exportId}`, after: { exportId, kind, sha256, requestedBy }, value: null },
  }));
  return done.ok ? { ok: true, value: { found, content: chunksOf(domain, found) } } : done;
}

/** Whether all that one restriction allows is allowed by the other, as far as the two can be compared. */
function covers(now: Scope, then: Scope): boolean {
  const within = (wide: readonly string[] | null, narrow: readonly string[] | null): boolean =>
    wide === null || (narrow?.every((one) => wide.includes(one)) ?? false);
  return within(now.countries, then.countries) && within(now.merchantIds, then.merchantIds);
}

async function* chunksOf({ database }: DatabaseAccess, { exportId, size }: DataExport): AsyncGenerator<Buffer> {
  let count = 0;
  for (let chunkNo = 0; count < size; chunkNo += 1) {
    const { rows } = await database.pool.query<{ content: Buffer }>(chunkSql, [exportId, chunkNo]);
    const [chunk] = rows;
    if (!chunk) throw new Error(`the file of export ${exportId} no longer exists`);
    count += chunk.content.length;
    yield chunk.content;
  }
}
