import { createHash } from 'node:crypto';
import { hasRole, type OperatorContext, workRoles } from '../core/operator-rights.ts';
import type { Outcome, Refused } from '../core/rejection.ts';
import { type ChangeAccess, changeConfiguration } from '../ledger/index.ts';
import { type MediaType, mediaTypeOf } from './media-type.ts';
import { problemOfWork } from './prepare-work.ts';
import { fileByContentSql, fileUseSql, insertContentSql, insertFileSql } from './queries.ts';
import { absentItem, existsWithin, subjectOf, type WorkItem } from './work-item.ts';

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

const mebibyte = 1024 * 1024;
/** What uploads may use. The storage is that of all files on disk. */
export const fileLimits = {
  bytesOfSubject: 20 * mebibyte,
  filesOfOperatorPerDay: 200,
  bytesOfOperatorPerDay: 100 * mebibyte,
  bytesOfAll: 50 * 1024 * mebibyte,
} as const;

interface FileUse {
  files: number;
  bytes: number;
  isKnown: boolean;
  filesToday: number;
  bytesToday: number;
  bytesOfAll: number;
}

/**
 * Attaches a file to an order, a case or a booking, with an audit record. The same content again gives the existing file.
 * What the file is about has to exist, also in the transaction of the file.
 * Refusals: forbidden, order_not_found, case_not_found, break_not_found, booking_not_found, invalid_input, too_many_files.
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
  const uploadedBy = operator.operatorId;
  const { rows } = await pool.query<FileUse>(fileUseSql, [merchantId, subject, sha256, uploadedBy]);
  const limit = rows[0] && limitReached(rows[0], content.length);
  if (limit) return { ok: false, rejection: 'too_many_files', detail: limit };
  // Outside of the transaction, which holds the merchant's wallet. The content alone is in no list.
  await pool.query(insertContentSql, [merchantId, sha256, content]);
  const facts = { sha256, name: plainName(givenName), mediaType, size: content.length };
  const by = { actor: uploadedBy, approver: null, reason: 'a file' };
  return changeConfiguration<AttachedFile>(domain, { tenant: merchantId, change: 'attachFile' }, by, async (within) => {
    const ask = async (text: string, values: unknown[]) =>
      (await within.database.pool.query<AttachedFile>(text, [merchantId, subject, ...values])).rows[0];
    if (!(await existsWithin(within, owner))) return { ok: false, rejection: absentItem[owner.type] };
    const known = await ask(fileByContentSql, [sha256]);
    const { name, size } = facts;
    const file =
      known ??
      (await ask(insertFileSql, [sha256, name, mediaType, size, uploadedBy, maxFiles, fileLimits.bytesOfSubject]));
    if (!file) return tooManyFiles;
    // The record has no file name, because it may be personal data.
    const after = { fileNo: file.fileNo, sha256, mediaType, size: content.length, isKnown: known !== undefined };
    return { ok: true, value: { subject, after, value: file } };
  });
}

/** Which limit a further file of this size would exceed; null: none. The same file again takes no place. */
export function limitReached(use: FileUse, size: number): string | null {
  if (use.isKnown) return null;
  if (use.files >= maxFiles) return `${maxFiles} at most`;
  if (use.bytes + size > fileLimits.bytesOfSubject) return `${fileLimits.bytesOfSubject} bytes at most`;
  if (use.filesToday >= fileLimits.filesOfOperatorPerDay)
    return `an operator uploads ${fileLimits.filesOfOperatorPerDay} files a day at most`;
  if (use.bytesToday + size > fileLimits.bytesOfOperatorPerDay)
    return `an operator uploads ${fileLimits.bytesOfOperatorPerDay} bytes a day at most`;
  return use.bytesOfAll + size > fileLimits.bytesOfAll
    ? 'the storage of files is full: tell who runs the service'
    : null;
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
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
  return [...name].slice(0, 100).join('').trim() || 'file';
}
