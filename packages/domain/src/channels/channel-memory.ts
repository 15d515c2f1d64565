import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isUnavailable } from '../database/connection-loss.ts';
import type { ChannelMemory } from './channel.ts';
import { readMemory, rememberOnce } from './queries.ts';

/** After this time since its beginning a call of the memory repeats no statement, in ms. */
const repeatFor = 2_500;
const repeatEvery = 100;

/** The connections of a memory. What it stores can end an order, so only those that may write the ledger write it. */
export interface MemoryConnections {
  pool: pg.Pool;
  ledgerPool: pg.Pool;
}

/**
 * The memory of one channel: rows of the table `channel_memory`. If the database is unavailable, or does not answer in
 * time, a statement is repeated for a short time: each has the same effect when it runs twice. Otherwise one slow answer
 * of the database would end a payin as unanswered (decisions 5.3).
 */
export function openChannelMemory({ pool, ledgerPool }: MemoryConnections, channelId: string): ChannelMemory {
  const read = async (key: string, until = performance.now() + repeatFor): Promise<string | null> => {
    const statement = { ...readMemory, values: [channelId, key] };
    const { rows } = await repeat(until, () => pool.query<{ value: string }>(statement));
    return rows[0]?.value ?? null;
  };
  return {
    read: (key) => read(key),
    async remember(key, value, about) {
      const until = performance.now() + repeatFor;
      const statement = { ...rememberOnce, values: [channelId, key, value, about === 'order'] };
      await repeat(until, () => ledgerPool.query(statement));
      const kept = await read(key, until);
      if (kept === null) throw new Error(`channel ${channelId}: what was stored is not there`);
      return kept;
    },
  };
}

async function repeat<T>(until: number, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > until) throw error;
      await sleep(repeatEvery);
    }
  }
}
