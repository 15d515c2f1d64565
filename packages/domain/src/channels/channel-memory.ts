import type pg from 'pg';
import type { ChannelMemory } from './channel.ts';
import { readMemory, rememberOnce } from './statements.ts';

/** The memory of one channel: rows of the table `channel_memory`. */
export function openChannelMemory(pool: pg.Pool, channelId: string): ChannelMemory {
  const read = async (key: string): Promise<string | null> => {
    const { rows } = await pool.query<{ value: string }>({ ...readMemory, values: [channelId, key] });
    return rows[0]?.value ?? null;
  };
  return {
    read,
    async remember(key, value, about) {
      await pool.query({ ...rememberOnce, values: [channelId, key, value, about === 'order'] });
      const kept = await read(key);
      if (kept === null) throw new Error(`channel ${channelId}: what was stored is not there`);
      return kept;
    },
  };
}
