import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import { askRedis, readEviction } from './ask-redis.ts';
import { connectRedis } from './connection.ts';
import { redisUsers, sandboxUrl } from './redis-users.ts';

let redis: OwnRedis;
beforeAll(async () => {
  redis = await startOwnRedis();
});
afterAll(() => redis.remove());

test.each([null, ...redisUsers])(
  'a Redis that evicts keys is not ready, until its policy is changed back; asked by the user %s',
  async (user) => {
    const lines: string[] = [];
    const line = (_fields: object, message: string): void => void lines.push(message);
    const log = { debug: line, info: line, warn: line, error: line };
    const asking = connectRedis(user === null ? redis.url : sandboxUrl(redis.url, user), 'commands', log);
    const admin = connectRedis(redis.url, 'worker', log);
    const set = (policy: string) => admin.call('CONFIG', 'SET', 'maxmemory-policy', policy);
    try {
      await expect.poll(() => askRedis(asking).then(() => 'ready', String)).toBe('ready');
      expect(await readEviction(asking)).toEqual([[{}, 0]]);
      for (const policy of ['allkeys-lru', 'volatile-ttl']) {
        await set(policy);
        await expect(askRedis(asking)).rejects.toThrow(
          `it evicts keys (maxmemory-policy ${policy}): set its maxmemory-policy to noeviction`,
        );
        expect(await readEviction(asking)).toEqual([[{}, 1]]);
      }
      await set('noeviction');
      await askRedis(asking);
      expect(lines).toEqual([
        'Redis evicts keys: the process is not ready until maxmemory-policy is noeviction',
        'Redis evicts no keys any more',
      ]);
    } finally {
      asking.disconnect();
      admin.disconnect();
    }
  },
);
