import type { CallLimiter, ChannelMemory } from '@tidegate/domain/channels';

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
export const withoutLimit: CallLimiter = { take: async (_account, _rate, signal) => !signal.aborted };
