import { randomUUID } from 'node:crypto';
import type { Announce, Change, Log } from '@tidegate/domain';
import { readRedisUrl } from '@tidegate/settings';
import { connectRedis, type RedisConnection } from './connection.ts';

/**
 * One message on the topic. Each sender numbers its messages, also the empty ones, so that a receiver notices a missing
 * one.
 */
export interface Announcement {
  from: string;
  no: number;
  /**
   * The sender's previous message was lost. A receiver without an earlier number of this sender would not notice
   * otherwise.
   */
  afterLoss?: true;
  changes: Change[];
}

/** Changes that wait to be published. Further ones are dropped, and reported as missing. */
const bufferLimit = 10_000;
/** The most changes in one message. */
const messageLimit = 500;
/** A further message follows after this time, so that receivers soon notice a missing last one. */
const followUpMs = 1_000;

export interface RunningAnnouncer {
  announce: Announce;
  close(): Promise<void>;
}

/** Redis has one set of topics for all its databases, so the topic contains the database. */
export function topicOf(redisUrl: string): string {
  const read = readRedisUrl(redisUrl);
  return `tidegate:changes:${read.ok ? read.place.database : 0}`;
}

/** Publishes this process's commits to every listening process. Never makes the caller wait or fail. */
export function openAnnouncer(options: { redisUrl: string; log: Log }): RunningAnnouncer {
  const sender = openSender(connectRedis(options.redisUrl, 'commands', options.log), topicOf(options.redisUrl));
  let waiting: Change[] = [];
  let sending: Promise<void> | null = null;
  let followUp: NodeJS.Timeout | null = null;

  const transmit = async (): Promise<void> => {
    // Changes of one tick of the event loop go out together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      if (await sender.send(waiting.splice(0, messageLimit))) continue;
      // Redis is unavailable. The loss is reported once, however many changes are lost.
      waiting = [];
    }
    sending = null;
    followUp ??= setTimeout(follow, followUpMs).unref();
  };
  const follow = async (): Promise<void> => {
    const isSent = await sender.send([]);
    followUp = isSent ? null : setTimeout(follow, followUpMs).unref();
  };

  return {
    announce: (changes) => {
      if (changes.length === 0) return;
      const room = bufferLimit - waiting.length;
      waiting.push(...changes.slice(0, room));
      if (changes.length > room) sender.skip();
      sending ??= transmit();
    },
    close: async () => {
      await sending;
      if (followUp !== null) {
        clearTimeout(followUp);
        await sender.send([]);
      }
      sender.close();
    },
  };
}

export interface Sender {
  readonly from: string;
  /**
   * Resolves to whether Redis accepted the message. Never throws. A message that was not accepted counts as missing.
   */
  send(changes: Change[]): Promise<boolean>;
  /** Makes receivers notice that a message is missing. */
  skip(): void;
  close(): void;
}

/** Waits until a new connection is ready, or for two seconds. */
function firstConnection(redis: RedisConnection): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, 2_000);
    late.unref();
    const done = (): void => {
      clearTimeout(late);
      resolve();
    };
    if (redis.status === 'ready') done();
    else redis.once('ready', done).once('end', done);
  });
}

/** Numbers the messages of this sender on the topic. */
export function openSender(redis: RedisConnection, topic: string): Sender {
  const from = randomUUID();
  let no = 0;
  let hasLost = false;
  const connected = firstConnection(redis);
  return {
    from,
    send: async (changes) => {
      no += 1;
      const announcement: Announcement = { from, no, ...(hasLost && { afterLoss: true }), changes };
      await connected;
      const isSent =
        redis.status === 'ready' &&
        (await redis.publish(topic, JSON.stringify(announcement)).then(
          () => true,
          () => false,
        ));
      if (!isSent) hasLost = true;
      else if (announcement.afterLoss) hasLost = false;
      return isSent;
    },
    skip: () => {
      no += 1;
      hasLost = true;
    },
    close: () => redis.disconnect(),
  };
}
