import type { OperatorContext } from '../core/operator-rights.ts';
import type { Outcome } from '../core/rejection.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { type AttachedFile, mayReadFiles } from './attach-file.ts';
import { loadFiles } from './list-work.ts';
import { contentSql } from './queries.ts';

export type FileRef = Pick<AttachedFile, 'merchantId' | 'subject' | 'fileNo'>;

/** A file with its content, which is recorded before it is given. Refusals: forbidden, file_not_found. */
export async function readFile(
  domain: LedgerAccess,
  operator: OperatorContext,
  ref: FileRef,
): Promise<Outcome<{ file: AttachedFile; content: Buffer }>> {
  if (!mayReadFiles(operator)) return { ok: false, rejection: 'forbidden' };
  const [file] = await loadFiles(domain, operator, [ref]);
  if (!file) return { ok: false, rejection: 'file_not_found' };
  const { merchantId, subject, fileNo, sha256 } = file;
  const { rows } = await domain.database.pool.query<{ content: Buffer }>(contentSql, [merchantId, sha256]);
  const [found] = rows;
  if (!found) return { ok: false, rejection: 'file_not_found' };
  const by = { actor: operator.operatorId, approver: null, reason: 'a download' };
  const recorded = {
    type: 'recordChange',
    merchantId,
    change: 'readFile',
    subject,
    after: { fileNo, sha256 },
    by,
  } as const;
  const done = await domain.commit(recorded);
  return done.ok ? { ok: true, value: { file, content: found.content } } : done;
}
