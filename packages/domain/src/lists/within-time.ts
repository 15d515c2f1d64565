import type { PoolClient } from 'pg';
import type { Reading } from '../database/reading.ts';
import { transact } from '../database/transaction.ts';

/** The answer where a statement took too long. */
export const tookTooLong = Symbol('took too long');

/** Reads on one connection; each statement is cancelled after `millis`. `off`: settings of the planner that are off meanwhile. */
export async function withinTime<Answer>(
  reading: Reading,
  millis: number,
  work: (client: PoolClient) => Promise<Answer>,
  off: readonly string[] = [],
): Promise<Answer | typeof tookTooLong> {
  const settings = [`statement_timeout = ${Math.max(1, Math.round(millis))}`, ...off.map((name) => `${name} = off`)];
  const begin = `begin read only; ${settings.map((one) => `set local ${one}`).join('; ')}`;
  try {
    return await reading.onConnection((client) => transact(client, work, { begin }));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === queryCancelled) return tookTooLong;
    throw error;
  }
}

const queryCancelled = '57014';
