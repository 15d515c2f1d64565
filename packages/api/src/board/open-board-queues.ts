import { type Log, queueNames } from '@tidegate/domain';
import { connectRedis, openQueue } from '@tidegate/queue';

/** The queues that the board shows and changes. */
export interface BoardQueues {
  queues: ReturnType<typeof openQueue>[];
  /** Whether Redis is connected. Without it a request to a queue would hang. */
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
