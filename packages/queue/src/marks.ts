import { boundedText } from '@tidegate/settings/bounded-text';
import { boundaryOf, type RedisConnection } from './connection.ts';
import { readShort } from './own-state.ts';

/**
 * Sorted set of full channels, as `queue channel`, by the time until which the mark counts. A worker has as many calls
 * to a full channel as it accepts.
 */
export const fullChannelsKey = 'tidegate:full-channels';
/** Sorted set of open breakers, as `host merchant`, by the time at which they opened. */
export const openBreakersKey = 'tidegate:breakers-open';

/** Marks that workers store in Redis about channels and hosts. A mark may be lost, and is then written again. */
export interface Marks {
  /** Channels that are full in some worker now. */
  fullChannels: ReadonlySet<string>;
  /** Open breakers, as `host merchant`. */
  openBreakers: ReadonlySet<string>;
}

const maxMarks = 10_000;

/** A member of a set of marks: two names. A host has at most 255 characters. */
const longestMark = 400;
const markName = boundedText(longestMark);

/** Reads the members of a set of marks whose times are from `since` on, in ms. Those that cannot be read are left out. */
export async function readNames(redis: RedisConnection, key: string, since: number | '-inf'): Promise<string[]> {
  const range = ['zrangebyscore', since, '+inf', 'LIMIT', 0, maxMarks] as const;
  return boundaryOf(redis).readEach('marks', await readShort(redis, key, longestMark, range), markName);
}

/** Reads the marks; null while Redis is unavailable. */
export async function readMarks(redis: RedisConnection): Promise<Marks | null> {
  if (redis.status !== 'ready') return null;
  try {
    const [channels, breakers] = await Promise.all([
      readNames(redis, fullChannelsKey, Date.now()),
      readNames(redis, openBreakersKey, '-inf'),
    ]);
    return {
      fullChannels: new Set(channels.map((name) => name.split(' ')[1] ?? '')),
      openBreakers: new Set(breakers),
    };
  } catch {
    return null;
  }
}
