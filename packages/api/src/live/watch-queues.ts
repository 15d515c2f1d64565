import type { ChangeFeed } from './change-feed.ts';
import type { QueueReader } from './read-queues.ts';

/** How often the queues are read while there are subscribers. */
const everyMs = 2_000;

export interface QueueWatch {
  /** Call this after a new subscription to `queues`. */
  begin(): void;
  stop(): void;
}

/**
 * Sends the state of the queues to the subscribers of `queues`, with one read for all of them. Pauses without
 * subscribers.
 */
export function watchQueues(feed: ChangeFeed, { read }: Pick<QueueReader, 'read'>, every = everyMs): QueueWatch {
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    if (feed.count('queues') === 0) {
      isRunning = false;
      return;
    }
    try {
      feed.receive([{ type: 'queues', queues: await read() }]);
    } catch (error) {
      feed.fail(['queues'], error instanceof Error ? error : new Error(String(error)));
    }
    timer = setTimeout(look, every);
  };
  return {
    begin: () => {
      if (isRunning) return;
      isRunning = true;
      void look();
    },
    stop: () => clearTimeout(timer),
  };
}
