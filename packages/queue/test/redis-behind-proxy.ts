import { Worker } from 'bullmq';
import { type FaultProxy, proxyTo } from '../../../tests/faults/fault-proxy.ts';
import { connectRedis, type RedisConnection } from '../src/connection.ts';
import { queueOptions } from '../src/queue-state.ts';
import { startOwnRedis } from './own-redis.ts';

const silentLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Those of the service's workers (`packages/worker/src/run-queues.ts`). */
const limits = { lockDuration: 8_000, stalledInterval: 3_000 };

export interface RedisBehindProxy {
  proxy: FaultProxy;
  /** A connection past the proxy. */
  direct: RedisConnection;
  /** Starts a worker of the queue `submit`, behind the proxy. `during` runs within each job. `done` has the ids of its jobs. */
  startWorker(during?: (jobId: string) => Promise<void>): { done: string[]; close(): Promise<void> };
  close(): Promise<void>;
}

/** A Redis whose connections a test can silence. */
export async function startRedisBehindProxy(): Promise<RedisBehindProxy> {
  const redis = await startOwnRedis();
  const proxy = await proxyTo(redis.url);
  const direct = connectRedis(redis.url, 'worker', silentLog);
  return {
    proxy,
    direct,
    startWorker: (during = async () => undefined) => {
      const connection = connectRedis(proxy.url, 'worker', silentLog);
      const done: string[] = [];
      const work = async ({ id = '' }: { id?: string | undefined }): Promise<void> => {
        done.push(id);
        await during(id);
      };
      const worker = new Worker('submit', work, { ...queueOptions('submit', connection), ...limits, drainDelay: 5 });
      worker.on('error', () => undefined);
      return {
        done,
        close: async () => {
          await worker.close();
          connection.disconnect();
        },
      };
    },
    close: async () => {
      direct.disconnect();
      await proxy.close();
      await redis.remove();
    },
  };
}
