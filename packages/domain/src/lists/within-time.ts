import type { PoolClient } from 'pg';
import type { Reading } from '../database/reading.ts';

/** The answer where a statement took too long. */
export const tookTooLong = Symbol('took too long');

/** Reads on one connection; each statement is cancelled after `millis`. `off`: settings of the planner that are off meanwhile. */
export function withinTime<Answer>(
  reading: Reading,
  millis: number,
  work: (client: PoolClient) => Promise<Answer>,
  off: readonly string[] = [],
): Promise<Answer | typeof tookTooLong> {
  return reading.onConnection(async (client) => {
    const settings = [`statement_timeout = ${Math.max(1, Math.round(millis))}`, ...off.map((name) => `${name} = off`)];
    await client.query(`begin read only; ${settings.map((one) => `set local ${one}`).join('; ')}`);
    try {
      const answer = await work(client);
      await client.query('commit');
      return answer;
    } catch (error) {
      await client.query('rollback');
      if (error instanceof Error && 'code' in error && error.code === queryCancelled) return tookTooLong;
      throw error;
    }
  });
}

const queryCancelled = '57014';
