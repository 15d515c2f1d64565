import { randomBytes } from 'node:crypto';
import type { ApprovalState } from '../core/approval.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { Within } from '../ledger/index.ts';
import { approvalByIdSql, closeApprovalSql, insertApprovalSql, pendingApprovalsSql } from './statements.ts';

/** An operation that waits for a second operator, or was decided. Times are Unix milliseconds. */
export interface ApprovalView {
  approvalId: string;
  /** Of which merchant, or platform tenant, it is. */
  merchantId: string;
  operation: string;
  /** What it is about, in a word or two. */
  subject: string;
  /** What was asked for, as the operation reads it. */
  input: { [name: string]: unknown };
  askedBy: string;
  reason: string;
  askedAt: number;
  expiresAt: number;
  /** By the database's clock: one whose time is over is expired, whoever has noticed. */
  state: ApprovalState;
  decidedBy: string | null;
  decidedAt: number | null;
  /** Why it was rejected, or failed. */
  outcome: string | null;
}

export interface NewApproval {
  approvalId: string;
  merchantId: string;
  operation: string;
  subject: string;
  input: object;
  /** Sealed; null where the input has none. */
  secrets: Buffer | null;
  askedBy: string;
  reason: string;
}

/** Keeps what waits for a second operator, for `lifetimeMs` by the database's clock. */
export async function insertApproval(within: Within, approval: NewApproval, lifetimeMs: number): Promise<ApprovalView> {
  const { merchantId, approvalId, operation, subject, input, secrets, askedBy, reason } = approval;
  const { rows } = await within.database.pool.query<ApprovalView>(insertApprovalSql, [
    merchantId,
    approvalId,
    operation,
    subject,
    JSON.stringify(input),
    askedBy,
    reason,
    lifetimeMs,
    secrets,
  ]);
  return rows[0] as ApprovalView;
}

/** Ends one that nothing was done about; the caller holds its tenant. Null where it is decided, or its time is over. */
export async function closeApproval(
  within: Within,
  { merchantId, approvalId }: Pick<ApprovalView, 'merchantId' | 'approvalId'>,
  state: 'rejected' | 'failed' | 'withdrawn',
  decidedBy: string,
  outcome: string,
): Promise<ApprovalView | null> {
  const { rows } = await within.database.pool.query<ApprovalView>(closeApprovalSql, [
    merchantId,
    approvalId,
    state,
    decidedBy,
    outcome,
  ]);
  return rows[0] ?? null;
}

/** An approval by its id, whoever may see it; null where there is none. */
export async function approvalById(within: Within, approvalId: string): Promise<ApprovalView | null> {
  if (!/^AP[0-9A-Z]{12}$/.test(approvalId)) return null;
  const { rows } = await within.database.pool.query<ApprovalView>(approvalByIdSql, [approvalId]);
  return rows[0] ?? null;
}

/** What waits for a second operator and is not over, as far as this one may see it, the oldest first, at most `limit`. */
export async function pendingApprovals(
  domain: DatabaseAccess,
  { countries, merchantIds }: Pick<OperatorContext, 'countries' | 'merchantIds'>,
  limit: number,
): Promise<ApprovalView[]> {
  const { rows } = await domain.database.pool.query<ApprovalView>(pendingApprovalsSql, [countries, merchantIds, limit]);
  return rows;
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** `AP` and 12 digits and capital letters: short enough to be read out, and no other's by chance. */
export function makeApprovalId(): string {
  return `AP${[...randomBytes(12)].map((byte) => alphabet[byte % 32]).join('')}`;
}
