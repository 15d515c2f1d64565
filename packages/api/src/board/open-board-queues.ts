import { type Log, queueNames } from '@tidegate/domain';
import { connectRedis, openQueue } from '@tidegate/queue';

/** What the board of queues shows and changes. */
export interface BoardQueues {
  queues: ReturnType<typeof openQueue>[];
  /** Whether Redis is there: without it a queue would be waited for. */
  isReady(): boolean;
  close(): Promise<void>;
}

export function openBoardQueues({ redisUrl, log }: { redisUrl: string; log: Log }): BoardQueues {
  const redis = connectRedis(redisUrl, 'producer', log);
  const queues = queueNames.map((name) => openQueue(name, redis));
  return {
    queues,
    isReady: () => redis.status === 'ready',
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close().catch(() => undefined)));
      redis.disconnect();
    },
  };
}
