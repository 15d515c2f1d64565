import type { DatabaseAccess } from '../database/database.ts';
import { type ChangeAccess, changeConfiguration, platformTenant } from '../ledger/index.ts';
import { hasRecordOf } from './statements.ts';

const change = 'seedSandbox';

/**
 * Marks this database as a sandbox's before demo keys and demo money come into it; once. The mark is an audit record: it cannot be
 * changed or deleted, so that no production ever starts on what was a sandbox (decisions 9).
 */
export async function markAsSandbox(domain: ChangeAccess): Promise<void> {
  if (await isSandbox(domain)) return;
  const by = { actor: 'sandbox', approver: null, reason: 'demo merchants and their keys come into this database' };
  const marked = await changeConfiguration(domain, { tenant: platformTenant, change }, by, async () => ({
    ok: true,
    value: { subject: 'database', value: null },
  }));
  if (!marked.ok) throw new Error(`the sandbox's mark was refused: ${marked.rejection}`);
}

/** Whether a sandbox was made of this database, ever. */
export async function isSandbox({ database }: DatabaseAccess): Promise<boolean> {
  const { rows } = await database.pool.query(hasRecordOf, [platformTenant, change]);
  return rows.length > 0;
}
