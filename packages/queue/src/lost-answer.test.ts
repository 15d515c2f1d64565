import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RedisBehindProxy, startRedisBehindProxy } from '../test/redis-behind-proxy.ts';
import { openQueue } from './queues.ts';

let redis: RedisBehindProxy;
beforeAll(async () => {
  redis = await startRedisBehindProxy();
});
afterAll(() => redis.close());

test('a job that Redis gave to a worker is done although the answer was lost', { timeout: 90_000 }, async () => {
  const { proxy, direct, startWorker } = redis;
  const queue = openQueue('submit', direct);
  const { done, close } = startWorker(async (jobId) => {
    if (jobId !== 'first') return;
    await queue.add('submit', {}, { jobId: 'lost' });
    // The end of this job asks for the next one. Redis does not answer it before the pause has ended.
    await direct.client('PAUSE', 30_000, 'WRITE');
  });
  await queue.add('submit', {}, { jobId: 'first' });
  const waits = async (): Promise<void> => expect(await direct.client('LIST')).toMatch(/flags=b .*cmd=eval/);
  await vi.waitFor(waits, { timeout: 20_000 });
  proxy.silence();
  await direct.client('UNPAUSE');
  await vi.waitFor(async () => expect(await queue.getActive()).toMatchObject([{ id: 'lost' }]), { timeout: 20_000 });
  expect(done).toEqual(['first']);
  proxy.repair();
  await vi.waitFor(() => expect(done).toEqual(['first', 'lost']), { timeout: 30_000 });
  await close();
});
