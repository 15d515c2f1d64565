import type { LedgerReadAccess } from './ledger-access.ts';

/** How many approvals one statement wipes. */
const batch = 500;

/**
 * Wipes the sealed secrets of approvals whose time ended undecided; a decision wipes them by itself. Resolves to how many
 * there were. Several processes may do it at once.
 */
export async function wipeEndedSecrets({ database, sql }: LedgerReadAccess): Promise<number> {
  let wiped = 0;
  for (let found = batch; found === batch; wiped += found) {
    const { rowCount } = await database.ledgerPool.query({ ...sql.wipeEndedSecrets, values: [batch] });
    found = rowCount ?? 0;
  }
  return wiped;
}
