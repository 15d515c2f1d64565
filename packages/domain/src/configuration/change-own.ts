import { openUnitOfWork } from '../database/unit-of-work.ts';
import type { ChangeAccess, ChangeTransaction } from '../ledger/index.ts';

/**
 * Changes the personal settings of an operator in the console, in one transaction. There is no audit record, because
 * neither money nor rights depend on these settings.
 */
export async function changeOwn<T>(
  { database, vault }: Pick<ChangeAccess, 'database' | 'vault'>,
  apply: (within: ChangeTransaction) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    const em = openUnitOfWork(database.orm, client);
    const value = await apply({ database: { pool: client, unitOfWork: () => em }, vault });
    await client.query('commit');
    return value;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
