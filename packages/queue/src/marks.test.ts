import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import { connectRedis, type RedisConnection } from './connection.ts';
import { openBreakersKey, readMarks } from './marks.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
let server: OwnRedis;
let redis: RedisConnection;
beforeAll(async () => {
  server = await startOwnRedis();
  redis = connectRedis(server.url, 'worker', silent);
});
afterAll(async () => {
  redis.disconnect();
  await server.remove();
});

test('as many marks as are read at all come in one reply', async () => {
  const mark = (no: number): [number, string] => [no + 1, `${no} `.padEnd(400, 'h')];
  await redis.zadd(openBreakersKey, ...Array.from({ length: 10_000 }, (_, no) => mark(no)).flat());
  expect((await readMarks(redis))?.openBreakers.size).toBe(10_000);
});
