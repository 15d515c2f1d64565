import type { DatabaseAccess } from '../database/database.ts';
import { moneyOfApprovalsSql } from './queries.ts';
import type { TypedValue } from './typed-values.ts';

/** An amount of money, as screens show it. */
export type MoneyOfApproval = Extract<TypedValue, { type: 'money' }>;

/**
 * The money that each approval is about: what its input names, or else the amount of its order, cases, break or settlement. Of a pending bank file it
 * is what it would pay now. Null: it is about none. Only for approvals that the caller may see. At most 1,000.
 */
export async function moneyOfApprovals(
  { database }: DatabaseAccess,
  approvalIds: readonly string[],
): Promise<(MoneyOfApproval | null)[]> {
  type Row = Omit<MoneyOfApproval, 'type'> & { approvalId: string };
  const { rows } = await database.pool.query<Row>(moneyOfApprovalsSql, [approvalIds]);
  const found = new Map(rows.map(({ approvalId, ...money }) => [approvalId, { type: 'money' as const, ...money }]));
  return approvalIds.map((approvalId) => found.get(approvalId) ?? null);
}
