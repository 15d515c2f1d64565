import type { Domain, Log, Observer } from '@tidegate/domain';
import { listenToChanges } from '@tidegate/queue';
import { refusal } from '../errors/errors.ts';
import { type ChangeFeed, openChangeFeed } from './change-feed.ts';
import { openOrderReader, type ReadOrders } from './read-orders.ts';
import { openQueueReader, type QueueReader } from './read-queues.ts';
import { type QueueWatch, watchQueues } from './watch-queues.ts';

/** What subscriptions need. One per process. */
export interface Live {
  feed: ChangeFeed;
  readOrders: ReadOrders;
  queues: Pick<QueueReader, 'read' | 'marks'> & QueueWatch;
  /** Whether changes by other processes are received now. */
  isListening(): boolean;
}

export interface RunningLive extends Live {
  /** Ends every stream, and then their sources. */
  close(): Promise<void>;
}

/**
 * Receives the committed changes of all processes through Redis. While Redis is unavailable no stream of changes is open, so
 * no open stream has gaps.
 */
export function openLive(options: { domain: Domain; redisUrl: string; log: Log; observer?: Observer }): RunningLive {
  const { domain, redisUrl, log, observer = {} } = options;
  const feed = openChangeFeed();
  const reader = openQueueReader({ redisUrl, log, observer });
  const watch = watchQueues(feed, reader);
  const listener = listenToChanges({
    redisUrl,
    log,
    observer,
    receive: feed.receive,
    lost: () => {
      const why = 'some changes may have been missed: listen again, and ask for what you missed';
      feed.fail(['order', 'case', 'approval'], refusal('SERVICE_UNAVAILABLE', why));
    },
  });
  return {
    feed,
    readOrders: openOrderReader(domain),
    queues: { read: reader.read, marks: reader.marks, ...watch },
    isListening: listener.isListening,
    close: async () => {
      feed.endAll();
      watch.stop();
      listener.close();
      await reader.close();
    },
  };
}
