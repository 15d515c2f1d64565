import { connectRedis, type RedisConnection } from '@tidegate/queue';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../../../queue/test/own-redis.ts';
import { openFullChannels } from './full-channels.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
let redis: OwnRedis;
let connection: RedisConnection;
beforeAll(async () => {
  redis = await startOwnRedis();
  connection = connectRedis(redis.url, 'producer', silent);
  await vi.waitFor(() => expect(connection.status).toBe('ready'), 30_000);
});
afterAll(async () => {
  connection.disconnect();
  await redis.remove();
});

test('the mark of a full channel lasts between two runs of the dispatcher, and its worker removes it', async () => {
  const [worker, dispatcher] = [openFullChannels(connection), openFullChannels(connection)];
  worker.mark('poll', 'bank');
  await expect.poll(async () => [...(await dispatcher.read())]).toEqual(['poll bank']);
  const until = Number(await connection.zscore('tidegate:full-channels', 'poll bank'));
  expect(until - Date.now()).toBeGreaterThan(1_000);
  dispatcher.unmark('poll', 'bank');
  expect([...(await dispatcher.read())]).toEqual(['poll bank']);
  worker.unmark('poll', 'bank');
  await expect.poll(async () => [...(await dispatcher.read())]).toEqual([]);
});

test('a mark from the far future, or a value that is no set of marks, makes no channel full for long', async () => {
  const channels = openFullChannels(connection);
  await connection.zadd('tidegate:full-channels', 99999999999999, 'poll bank');
  expect([...(await channels.read())]).toEqual([]);
  await connection.set('tidegate:full-channels', 'x');
  expect([...(await channels.read())]).toEqual([]);
  channels.mark('poll', 'other');
  await expect.poll(async () => [...(await channels.read())]).toEqual(['poll other']);
  channels.unmark('poll', 'other');
});

test('an expired mark does not count, and without Redis no channel counts as full', async () => {
  await connection.zadd('tidegate:full-channels', Date.now() - 1, 'poll old');
  expect([...(await openFullChannels(connection).read())]).toEqual([]);
  await redis.stop();
  expect([...(await openFullChannels(connection).read())]).toEqual([]);
  await redis.startAgain();
});
