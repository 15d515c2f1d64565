import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isUnavailable } from '../database/connection-loss.ts';
import type { ChannelMemory } from './channel.ts';
import { readMemory, rememberOnce } from './statements.ts';

/** A statement that failed is repeated until this time, counted from its first attempt, in ms. */
const repeatFor = 2_500;
const repeatEvery = 100;

/**
 * The memory of one channel: rows of the table `channel_memory`. A statement whose database was unavailable, or did not
 * answer in time, is repeated for a short time: both statements have the same effect when they run twice. Without that,
 * one slow answer of the database would end a payin as unanswered (decisions 5.3).
 */
export function openChannelMemory(pool: pg.Pool, channelId: string): ChannelMemory {
  const read = async (key: string): Promise<string | null> => {
    const { rows } = await repeated(() => pool.query<{ value: string }>({ ...readMemory, values: [channelId, key] }));
    return rows[0]?.value ?? null;
  };
  return {
    read,
    async remember(key, value, about) {
      await repeated(() => pool.query({ ...rememberOnce, values: [channelId, key, value, about === 'order'] }));
      const kept = await read(key);
      if (kept === null) throw new Error(`channel ${channelId}: what was stored is not there`);
      return kept;
    },
  };
}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (const began = performance.now(); ; await sleep(repeatEvery)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() - began > repeatFor) throw error;
    }
  }
}
