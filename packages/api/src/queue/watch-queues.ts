import type { ChangeFeed } from '../live/change-feed.ts';
import type { QueueReader } from './read-queues.ts';

/** How often the queues are looked at while anybody listens. */
const everyMs = 2_000;

export interface QueueWatch {
  /** To be called when somebody has begun to listen to `queues`. */
  begin(): void;
  stop(): void;
}

/** Tells those who listen to `queues` how they are, from one reading however many they are; rests while nobody listens. */
export function watchQueues(feed: ChangeFeed, { read }: Pick<QueueReader, 'read'>, every = everyMs): QueueWatch {
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    if (feed.count('queues') === 0) {
      isRunning = false;
      return;
    }
    try {
      feed.heard([{ type: 'queues', queues: await read() }]);
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
