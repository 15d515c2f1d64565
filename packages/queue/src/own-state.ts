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

/** The type of a key's value, as Redis names it, or a number that is counted up. */
export type KeyType = 'string' | 'list' | 'hash' | 'zset' | 'set' | 'stream' | 'counter';
export type OwnKeys = readonly (readonly [key: string, type: KeyType])[];

const removeOthersScript = `${luaWithin}
for i, key in ipairs(KEYS) do
  local found, wanted = redis.call('type', key).ok, ARGV[i]
  local isOurs = found == wanted
  if wanted == 'counter' and found == 'string' then
    local text = redis.call('get', key)
    isOurs = string.find(text, '^%d+$') and within(text, 0, 9007199254740991)
  end
  if found ~= 'none' and not isOurs then redis.call('unlink', key) end
end
`;

/** What Redis answers to a command whose key has a value of another type, or no number that can be counted up. */
const notOurs = /WRONGTYPE|value is not an integer|would overflow/;

/** Removes the values of another type. All keys are in one slot of a cluster. */
export async function removeOthers(redis: RedisConnection, types: OwnKeys): Promise<void> {
  const [keys, expected] = [types.map(([key]) => key), types.map(([, type]) => type)];
  await redis.eval(removeOthersScript, keys.length, ...keys, ...expected);
}

/**
 * Runs what reads or changes keys. If one of them has a value of another type than this, that value is removed and it
 * runs once more. All keys are in one slot of a cluster.
 */
export async function onOwnKeys<T>(redis: RedisConnection, types: OwnKeys, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error && notOurs.test(error.message))) throw error;
    await removeOthers(redis, types);
    return run();
  }
}

const readShortScript = `
local read = redis.call(ARGV[2], KEYS[1], unpack(ARGV, 3))
for _, entry in ipairs(read) do
  if #entry > tonumber(ARGV[1]) then
    redis.pcall('unlink', KEYS[1])
    return {}
  end
end
return read
`;

/**
 * The entries of a list or a sorted set, as one of the commands by range reads them. If one of them is longer than
 * `longest` bytes, we have not written it: the value is removed, and nothing of it leaves Redis.
 */
export async function readShort(
  redis: RedisConnection,
  key: string,
  longest: number,
  [command, ...range]: readonly ['lrange' | 'zrange' | 'zrangebyscore', ...(string | number)[]],
): Promise<unknown> {
  const type = command === 'lrange' ? 'list' : 'zset';
  return onOwnKeys(redis, [[key, type]], () => redis.eval(readShortScript, 1, key, longest, command, ...range));
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
