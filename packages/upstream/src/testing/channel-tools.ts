import type { ChannelMemory } from '@tidegate/domain/channels';
import type { RateLimiter } from '../provider-adapter.ts';

/** For tests of one adapter: what it stores ends with the process. */
export function memoryOfOneProcess(): ChannelMemory {
  const stored = new Map<string, string>();
  return {
    read: async (key) => stored.get(key) ?? null,
    async remember(key, value) {
      const kept = stored.get(key) ?? value;
      stored.set(key, kept);
      return kept;
    },
  };
}

/** For tests of one adapter: every call is allowed. */
export const withoutLimit: RateLimiter = { take: async (_account, _rate, signal) => !signal.aborted };
