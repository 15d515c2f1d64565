import type { RedisConnection } from './connection.ts';

// State in Redis is a help, never the truth. A value that we cannot have written may neither stop work nor let more of it
// pass than an empty Redis, and it may not stay.

/** How much the clocks of two processes may differ, in ms. A time that is further ahead is none of ours. */
const clocksApartMs = 60_000;

/** Lua: `within(text, least, most)` is the number of a kept text, or nil if it is no number between the two. */
export const luaWithin = `
local function within(text, least, most)
  local value = tonumber(text)
  -- NaN is not equal to itself.
  if value ~= nil and value == value and value >= least and value <= most then return value end
end
`;

/** The type of a key's value, as Redis names it. */
type KeyType = 'string' | 'list' | 'hash' | 'zset';

const removeOthersScript = `
for i, key in ipairs(KEYS) do
  if redis.call('type', key).ok ~= ARGV[i] then redis.call('unlink', key) end
end
`;

/**
 * Runs what reads or changes keys. If one of them has a value of another type than this, that value is removed and it
 * runs once more. All keys are in one slot of a cluster.
 */
export async function onOwnKeys<T>(
  redis: RedisConnection,
  types: readonly (readonly [key: string, type: KeyType])[],
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('WRONGTYPE'))) throw error;
    const [keys, expected] = [types.map(([key]) => key), types.map(([, type]) => type)];
    await redis.eval(removeOthersScript, keys.length, ...keys, ...expected);
    return run();
  }
}

/**
 * Removes from a set that is sorted by time what is from before `from`, or from longer after `to` than clocks differ.
 * Both are times in ms.
 */
export async function keepTimes(redis: RedisConnection, key: string, from: number, to: number): Promise<void> {
  await onOwnKeys(redis, [[key, 'zset']], () =>
    Promise.all([
      redis.zremrangebyscore(key, '-inf', from),
      redis.zremrangebyscore(key, `(${to + clocksApartMs}`, '+inf'),
    ]),
  );
}

/** Whether a process can have written this time, in ms, by now. */
export function isPast(time: number): boolean {
  return time <= Date.now() + clocksApartMs;
}
