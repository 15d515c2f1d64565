import { randomUUID } from 'node:crypto';
import type { Announce, Change, Log } from '@tidegate/domain';
import { readRedisUrl } from '@tidegate/settings';
import { connectRedis, type RedisConnection } from './connection.ts';

/**
 * One message on the topic. Each sender numbers its own, also the empty ones, so that a receiver notices when one is
 * missing.
 */
export interface Announcement {
  from: string;
  no: number;
  /**
   * The sender's message right before this one was lost. A receiver that has no number of this sender yet would not
   * notice.
   */
  afterLoss?: true;
  changes: Change[];
}

/** Changes that wait to be published. Further ones are dropped, and reported as missing. */
const bufferLimit = 10_000;
/** Changes that go out in one message. */
const messageLimit = 500;
/** How long after a message another follows, so that nobody waits longer to learn that one did not come. */
const followUpMs = 1_000;

export interface RunningAnnouncer {
  announce: Announce;
  close(): Promise<void>;
}

/** Redis knows one set of topics for all its databases. */
export function topicOf(redisUrl: string): string {
  const read = readRedisUrl(redisUrl);
  return `tidegate:changes:${read.ok ? read.place.database : 0}`;
}

/** Tells every process that listens what was committed here, without ever making the caller wait or fail. */
export function openAnnouncer(options: { redisUrl: string; log: Log }): RunningAnnouncer {
  const sender = openSender(connectRedis(options.redisUrl, 'commands', options.log), topicOf(options.redisUrl));
  let waiting: Change[] = [];
  let sending: Promise<void> | null = null;
  let followUp: NodeJS.Timeout | null = null;

  const transmit = async (): Promise<void> => {
    // What one turn of the event loop brings goes out together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      if (await sender.send(waiting.splice(0, messageLimit))) continue;
      // Redis is away. The loss is reported once, however many changes it was.
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
  /** Whether Redis took it. Never throws; what it did not take counts as missing. */
  send(changes: Change[]): Promise<boolean>;
  /** Lets those who hear know that something is missing. */
  skip(): void;
  close(): void;
}

/** Until a new connection stands, or for two seconds. */
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

/** Numbers what goes out on the topic. */
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
