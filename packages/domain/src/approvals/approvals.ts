import { randomBytes } from 'node:crypto';
import type { Approval } from '../core/approval.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { approvalByIdSql, pendingApprovalsSql } from './queries.ts';

/** An approval by its id, without a check of permissions; null if there is none. */
export async function approvalById({ database }: DatabaseAccess, approvalId: string): Promise<Approval | null> {
  if (!/^AP[0-9A-Z]{12}$/.test(approvalId)) return null;
  const { rows } = await database.pool.query<Approval>(approvalByIdSql(database.orm), [approvalId]);
  return rows[0] ?? null;
}

/** Pending approvals within the operator's restriction, the oldest first, at most `limit`. */
export async function pendingApprovals(
  { database }: DatabaseAccess,
  { countries, merchantIds }: Pick<OperatorContext, 'countries' | 'merchantIds'>,
  limit: number,
): Promise<Approval[]> {
  const text = pendingApprovalsSql(database.orm);
  const { rows } = await database.pool.query<Approval>(text, [countries, merchantIds, limit]);
  return rows;
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** `AP` and 12 random digits and upper-case letters: short enough to read aloud, and unique in practice. */
export function makeApprovalId(): string {
  return `AP${[...randomBytes(12)].map((byte) => alphabet[byte % 32]).join('')}`;
}
