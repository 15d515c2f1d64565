import { createHash } from 'node:crypto';
import { hasRole, type OperatorContext, workRoles } from '../core/operator-rights.ts';
import type { Outcome, Refused } from '../core/rejection.ts';
import { type ChangeAccess, changeConfiguration } from '../ledger/index.ts';
import { type MediaType, mediaTypeOf } from './media-type.ts';
import { problemOfWork } from './prepare-work.ts';
import { fileByContentSql, fileCountSql, insertContentSql, insertFileSql } from './statements.ts';
import { subjectOf, type WorkItem } from './work-item.ts';

/** A file about an order, a case or a booking. Its content is read apart. */
export interface AttachedFile {
  merchantId: string;
  /** The object of the file, as audit records name it. */
  subject: string;
  /** 1, 2, 3 … of the subject. */
  fileNo: number;
  /** Of the content. The same content of a merchant is kept once. */
  sha256: string;
  name: string;
  mediaType: MediaType;
  /** Bytes. */
  size: number;
  uploadedBy: string;
  /** Unix ms. */
  uploadedAt: number;
}

/** The objects to which files are attached. */
export type FileOwner = Exclude<WorkItem, { type: 'merchant' }>;

export const largestFile = 2 * 1024 * 1024;
/** Files about one order, case or booking, at most. */
export const maxFiles = 20;

/**
 * Attaches a file to an order, a case or a booking, with an audit record. The same content again gives the existing file.
 * Refusals: forbidden, order_not_found, case_not_found, merchant_not_found, invalid_input, too_many_files.
 */
export async function attachFile(
  domain: ChangeAccess,
  operator: OperatorContext,
  owner: FileOwner,
  { name: givenName, content }: { name: string; content: Buffer },
): Promise<Outcome<AttachedFile>> {
  const problem = await problemOfWork(domain, operator, owner);
  if (problem) return problem;
  const mediaType = content.length <= largestFile ? mediaTypeOf(content) : null;
  if (!mediaType) {
    const reason = `must be a PDF, PNG or JPEG of at most ${largestFile} bytes, with nothing before or after it`;
    return { ok: false, rejection: 'invalid_input', fields: [{ path: 'content', reason }] };
  }
  const { merchantId } = owner;
  const subject = subjectOf(owner);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const { pool } = domain.database;
  const { rows } = await pool.query<{ count: number; isKnown: boolean }>(fileCountSql, [merchantId, subject, sha256]);
  if (rows[0] && rows[0].count >= maxFiles && !rows[0].isKnown) return tooManyFiles;
  // Outside of the transaction, which holds the merchant's wallet. The content alone is in no list.
  await pool.query(insertContentSql, [merchantId, sha256, content]);
  const uploadedBy = operator.operatorId;
  const facts = { sha256, name: plainName(givenName), mediaType, size: content.length };
  const by = { actor: uploadedBy, approver: null, reason: 'a file' };
  return changeConfiguration<AttachedFile>(domain, { tenant: merchantId, change: 'attachFile' }, by, async (within) => {
    const ask = async (text: string, values: unknown[]) =>
      (await within.database.pool.query<AttachedFile>(text, [merchantId, subject, ...values])).rows[0];
    const known = await ask(fileByContentSql, [sha256]);
    const { name, size } = facts;
    const file = known ?? (await ask(insertFileSql, [sha256, name, mediaType, size, uploadedBy, maxFiles]));
    if (!file) return tooManyFiles;
    // The record has no file name, because it may be personal data.
    const after = { fileNo: file.fileNo, sha256, mediaType, size: content.length, isKnown: known !== undefined };
    return { ok: true, value: { subject, after, value: file } };
  });
}

const tooManyFiles: Refused = { ok: false, rejection: 'too_many_files', detail: `${maxFiles} at most` };

/** Who may read files: they may show personal data. */
export function mayReadFiles(operator: Pick<OperatorContext, 'roles'>): boolean {
  return hasRole(operator, workRoles);
}

/** A name for a list and for saving: no path, no control character, at most 100 characters. */
function plainName(given: string): string {
  const name = given
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  return [...name].slice(0, 100).join('').trim() || 'file';
}
