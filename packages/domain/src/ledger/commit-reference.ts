import type { Command } from '../core/commands.ts';
import type { CommandResult } from './decide-batch.ts';
import type { LedgerAccess } from './ledger-access.ts';

/**
 * Commits a command with a bank's reference. A reference is for one transfer of its country, so it is refused if
 * another order has it.
 */
export async function commitReference(domain: LedgerAccess, command: Command): Promise<CommandResult> {
  try {
    return await domain.commit(command);
  } catch (error) {
    // The database guarantees it over all merchants.
    const isUsed = error instanceof Error && 'constraint' in error && error.constraint === 'proof_reference_pkey';
    if (isUsed) return { ok: false, rejection: 'proof_reference_used' };
    throw error;
  }
}
