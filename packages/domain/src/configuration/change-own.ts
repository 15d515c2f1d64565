import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction } from '../database/transaction.ts';
import { openUnitOfWork } from '../database/unit-of-work.ts';
import type { ChangeAccess, ChangeTransaction } from '../ledger/index.ts';
import { holdSettingsSql } from './queries.ts';

/** How often the lock of an operator's settings is tried, and the pause in between, in ms. */
const tries = { count: 20, pauseMs: 50 };

/**
 * Changes of the personal settings of an operator run one after the other. Anyone can take an advisory lock, so it is
 * not waited for for long: without it the last of two changes at the same moment counts.
 */
export async function holdSettings({ database }: ChangeTransaction, operatorId: string): Promise<void> {
  for (let n = 0; n < tries.count; n += 1) {
    const { rows } = await database.pool.query<{ isHeld: boolean }>(holdSettingsSql, [operatorId]);
    if (rows[0]?.isHeld) return;
    await delay(tries.pauseMs);
  }
}

/**
 * Changes the personal settings of an operator in the console, in one transaction. There is no audit record, because
 * neither money nor rights depend on these settings.
 */
export function changeOwn<T>(
  { database, vault }: Pick<ChangeAccess, 'database' | 'vault'>,
  apply: (within: ChangeTransaction) => Promise<T>,
): Promise<T> {
  return inTransaction(database.pool, (client) => {
    const em = openUnitOfWork(database.orm, client);
    return apply({ database: { pool: client, unitOfWork: () => em }, vault });
  });
}
