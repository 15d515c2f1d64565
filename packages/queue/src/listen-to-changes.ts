import { type Boundary, type Change, type Log, type Observer, openBoundary } from '@tidegate/domain';
import { openSender, topicOf } from './changes.ts';
import { connectRedis, type RedisConnection } from './connection.ts';
import { isOutage } from './is-outage.ts';
import { readAnnouncement } from './read-announcement.ts';
import { openSequenceCheck } from './sequence-check.ts';

/** After this number of beats without any message, also of its own, the connection counts as silent. */
const silentAfter = 3;
/** After this number of beats without a message the listener opens a new connection. */
const reconnectAfter = 6;

export interface ListeningOptions {
  redisUrl: string;
  log: Log;
  observer?: Observer;
  /** An exception in it loses the changes of this message for this process, and nothing else. */
  receive(changes: Change[]): void;
  /** A message was published but not received here. A caller that needs every change has to read again. */
  lost(): void;
  /** How often a listener publishes a message to itself. */
  beatMs?: number;
}

export interface RunningListener {
  /** Whether messages published now are received. */
  isListening(): boolean;
  close(): void;
}

/**
 * Receives the commits of every process, also of its own, until it is closed. Lost messages are not repeated, but they
 * are noticed within some seconds: senders number their messages, and the listener publishes one to itself every second
 * and waits for it. So it also notices a connection, or a cluster node behind it, that has silently disappeared.
 */
export function listenToChanges(options: ListeningOptions): RunningListener {
  const { redisUrl, log, beatMs = 1_000 } = options;
  const boundary = openBoundary(options);
  const receive = boundary.guard('changes', options.receive);
  const lost = boundary.guard('lost_changes', options.lost);
  const topic = topicOf(redisUrl);
  const beats = openSender(connectRedis(redisUrl, 'commands', log), topic);
  const sequenceCheck = openSequenceCheck();
  let silentBeats = 0;
  let isListening = false;

  const hears = (): void => {
    silentBeats = 0;
    isListening = true;
  };
  const take = (message: string): void => {
    hears();
    const announcement = readAnnouncement(boundary, message);
    if (announcement === null) return;
    sequenceCheck.receive(announcement, performance.now());
    if (announcement.changes.length > 0) receive(announcement.changes);
  };
  const listen = (): RedisConnection =>
    subscribe(connectRedis(redisUrl, 'listener', log), topic, { boundary, take, hears, log });
  let listener = listen();
  const beat = (): void => {
    // Between two of these steps arrived messages are read, however busy the process is.
    silentBeats += 1;
    const isSilent = isListening && silentBeats > silentAfter;
    if (sequenceCheck.isMissing(performance.now()) || isSilent) {
      sequenceCheck.reset();
      lost();
    }
    if (isSilent) isListening = false;
    if (silentBeats > reconnectAfter) {
      silentBeats = 0;
      listener.disconnect();
      listener = listen();
    }
    void beats.send([]);
  };
  const timer = boundary.every(beatMs, 'beat', beat);
  return {
    isListening: () => isListening,
    close: () => {
      clearInterval(timer);
      beats.close();
      listener.disconnect();
    },
  };
}

function subscribe(
  redis: RedisConnection,
  topic: string,
  { boundary, take, hears, log }: { boundary: Boundary; take(message: string): void; hears(): void; log: Log },
): RedisConnection {
  const received = (_topic: string, message: string): void => take(message);
  redis.on('message', boundary.guard('changes', received));
  // After the first subscription, ioredis subscribes again at each reconnect.
  redis.subscribe(topic).then(hears, (error: unknown) => {
    // Also called for a connection that was closed because of its silence, or at the end.
    if (!isOutage(error)) log.warn({ err: error }, 'changes cannot be received');
  });
  return redis;
}
