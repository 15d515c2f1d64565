import type { DatabaseAccess } from '../database/database.ts';
import type { VaultAccess } from '../database/vault.ts';
import type { BankAccount } from '../settlement/index.ts';
import { openSecrets } from './kept-input.ts';
import { secretsOfApprovalsSql } from './queries.ts';

/**
 * The bank accounts that pending requests would set, so that the second operator can compare them. Null: the request
 * sets none, or is decided. Only for operators who may see personal data, about approvals that they may see. At most
 * 1,000.
 */
export async function openRequestedAccounts(
  { database, vault }: DatabaseAccess & VaultAccess,
  approvalIds: readonly string[],
): Promise<(BankAccount | null)[]> {
  const { rows } = await database.pool.query<{ approvalId: string; secrets: Buffer }>(secretsOfApprovalsSql, [
    approvalIds,
    ['setSettlementCycle', 'createSettlementFile'],
  ]);
  const found = new Map(rows.map(({ approvalId, secrets }) => [approvalId, openSecrets(vault, approvalId, secrets)]));
  return approvalIds.map((approvalId) => (found.get(approvalId) as { account?: BankAccount })?.account ?? null);
}
