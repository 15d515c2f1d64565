import type { Change, Log } from '@tidegate/domain';
import { type Announcement, openSender, topicOf } from './changes.ts';
import { connectRedis, type RedisConnection } from './connection.ts';
import { isOutage } from './is-outage.ts';
import { openSequenceCheck } from './sequence-check.ts';

/** After so many beats without a word, its own included, it counts as deaf. */
const silentAfter = 3;
/** After so many it listens through a new connection. */
const reconnectAfter = 6;

export interface ListeningOptions {
  redisUrl: string;
  log: Log;
  heard(changes: Change[]): void;
  /** A message was published and not received, here or by all. A caller that needs every change has to read again. */
  lost(): void;
  /** How often a listener tells itself something. */
  beatMs?: number;
}

export interface RunningListener {
  /** Whether messages that are published now are received. */
  isListening(): boolean;
  close(): void;
}

/**
 * Hears what any process committed, its own included, until it is closed. Nothing that was missed is made up for, but it is
 * noticed within some seconds: senders number what they tell, and the listener itself tells something every second and waits to hear
 * it. So it also finds out where a connection, or the node of a cluster behind it, is silently gone.
 */
export function listenToChanges({ redisUrl, log, heard, lost, beatMs = 1_000 }: ListeningOptions): RunningListener {
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
    const announcement = readMessage(message);
    if (announcement === null) return;
    sequenceCheck.heard(announcement, performance.now());
    if (announcement.changes.length > 0) heard(announcement.changes);
  };
  const listen = (): RedisConnection => subscribe(connectRedis(redisUrl, 'listener', log), topic, { take, hears, log });
  let listener = listen();
  const beat = (): void => {
    // Between two of these whatever has come is read, however busy the process is.
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
  const timer = setInterval(beat, beatMs);
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
  { take, hears, log }: { take(message: string): void; hears(): void; log: Log },
): RedisConnection {
  redis.on('message', (_topic: string, message: string) => take(message));
  // Once subscribed, ioredis subscribes again whenever the connection is back.
  redis.subscribe(topic).then(hears, (error: unknown) => {
    // Also what a connection says that was left because of its silence, or at the end.
    if (!isOutage(error)) log.warn({ err: error }, 'changes cannot be heard');
  });
  return redis;
}

/** Null for what no sender of ours wrote. */
function readMessage(message: string): Announcement | null {
  try {
    const announcement = JSON.parse(message) as Partial<Announcement> | null;
    const { from, no, afterLoss, changes } = announcement ?? {};
    if (typeof from !== 'string' || typeof no !== 'number' || !Array.isArray(changes)) return null;
    return { from, no, ...(afterLoss === true && { afterLoss }), changes };
  } catch {
    return null;
  }
}
