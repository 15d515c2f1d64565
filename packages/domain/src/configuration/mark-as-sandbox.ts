import type { DatabaseAccess } from '../database/database.ts';
import { type ChangeAccess, changeConfiguration, platformTenant } from '../ledger/index.ts';
import { hasRecordOf } from './queries.ts';

const change = 'seedSandbox';

/**
 * Marks this database as a sandbox, before demo keys and demo money are added. The mark is an audit record, so it
 * cannot be changed or deleted. Production never starts on a former sandbox (decisions 9).
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

/** Whether this database was ever a sandbox. */
export async function isSandbox({ database }: DatabaseAccess): Promise<boolean> {
  const { rows } = await database.pool.query(hasRecordOf, [platformTenant, change]);
  return rows.length > 0;
}
