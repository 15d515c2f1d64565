import { type CreateOutcome, keptOutcomes, type SharedOutcomes } from '@tidegate/domain/channels';
import { boundedText } from '@tidegate/settings/bounded-text';
import { boundaryOf, type RedisConnection } from './connection.ts';
import { isPast, keepTimes, readShort } from './own-state.ts';

/** Sorted set of the channels with outcomes, by the time of their last one. All keys are in one slot of a cluster. */
const channelsKey = 'tidegate:{channel-outcomes}';
const keyOf = (channelId: string): string => `${channelsKey}:${channelId}`;

/** Outcomes are written this long after the first of them, in ms. */
const writeAfterMs = 250;
/** A channel without creates is dropped after this time, in ms. Longer than any outcome counts. */
const keptForMs = 10 * 60_000;
const maxChannels = 1_000;
const longestName = 200;
const longestOutcome = 20;

/**
 * The last outcomes of each channel as a list in Redis, oldest first. Each entry is `a` (answered) or `u` (unanswered),
 * and the time. What Redis does not accept is lost.
 */
export function openChannelOutcomes(redis: RedisConnection): SharedOutcomes {
  const boundary = boundaryOf(redis);
  let waiting = new Map<string, CreateOutcome[]>();
  const write = boundary.guard('outcomes', (): void => {
    const written = waiting;
    waiting = new Map();
    const commands = redis.pipeline();
    for (const [channelId, outcomes] of written) {
      commands.rpush(keyOf(channelId), ...outcomes.map(({ at, isAnswered }) => `${isAnswered ? 'a' : 'u'}${at}`));
      commands.ltrim(keyOf(channelId), -keptOutcomes, -1);
      commands.pexpire(keyOf(channelId), keptForMs);
      commands.zadd(channelsKey, Date.now(), channelId);
    }
    commands.exec().catch(() => undefined);
  });
  return {
    add(channelId, outcome) {
      if (waiting.size === 0) setTimeout(write, writeAfterMs).unref();
      const known = waiting.get(channelId) ?? [];
      if (waiting.size >= maxChannels && known.length === 0) return;
      waiting.set(channelId, [...known.slice(1 - keptOutcomes), outcome]);
    },
    async read() {
      await keepTimes(redis, channelsKey, Date.now() - keptForMs, Date.now());
      const listed = await readShort(redis, channelsKey, longestName, ['zrange', 0, maxChannels - 1]);
      const channelIds = boundary.readEach('channel_outcomes', listed, boundedText(longestName));
      const lists = await Promise.all(
        channelIds.map((channelId) =>
          readShort(redis, keyOf(channelId), longestOutcome, ['lrange', -keptOutcomes, -1]),
        ),
      );
      return new Map(
        channelIds.map((channelId, i) => {
          const outcomes = boundary.readEach('channel_outcomes', lists[i], outcome);
          return [channelId, outcomes.filter(({ at }) => isPast(at))];
        }),
      );
    },
  };
}

/** An entry of a channel's list. */
const outcome = boundedText(longestOutcome)
  .regex(/^[au][0-9]{1,16}$/)
  .transform((entry): CreateOutcome => ({ at: Number(entry.slice(1)), isAnswered: entry.startsWith('a') }));
