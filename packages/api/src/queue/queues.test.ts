import { queueNames, type Work } from '@tidegate/domain';
import { addJobs, connectRedis, openQueue } from '@tidegate/queue';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OwnCluster, startOwnCluster } from '../../../queue/test/own-cluster.ts';
import { type OwnRedis, startOwnRedis } from '../../../queue/test/own-redis.ts';
import { ask } from '../../test/api-fixture.ts';
import { listen } from '../../test/event-stream.ts';
import { type LiveFixture, openLiveFixture } from '../../test/live-fixture.ts';
import { openQueueReader } from '../live/read-queues.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let redis: OwnRedis;
/** Takes some seconds to start. The other tests run meanwhile. */
let cluster: Promise<OwnCluster>;
let fixture: LiveFixture;
let token: string;
let url: string;
beforeAll(async () => {
  cluster = startOwnCluster();
  cluster.catch(() => undefined);
  redis = await startOwnRedis();
  fixture = await openLiveFixture(redis.url);
  token = await fixture.letIn('viewer');
  ({ url } = await fixture.serveLive());
  const producing = connectRedis(redis.url, 'worker', silent);
  const submit = openQueue('submit', producing);
  const work = (n: number): Work => ({
    queue: 'submit',
    merchantId: 'M1',
    orderNo: `PI${n}`,
    channelId: 'fake',
    dueAt: 1,
  });
  await addJobs(submit, [work(1), work(2), work(3)]);
  await submit.add('later', {}, { delay: 60_000 });
  await submit.close();
  producing.disconnect();
});
afterAll(async () => {
  await fixture.close();
  await redis.remove();
  await (await cluster).remove();
});

const query = '{ queues { name waiting active delayed oldestWaitingMs } }';
const submit = { name: 'submit', waiting: 3, active: 0, delayed: 1, oldestWaitingMs: expect.any(Number) };
const idle = { waiting: 0, active: 0, delayed: 0, oldestWaitingMs: null };
const asTheyAre = queueNames.map((name) => (name === 'submit' ? submit : { name, ...idle }));

test('every queue shows its number of waiting jobs and the longest wait', async () => {
  const { data, errors } = await ask(url, query, { token });
  expect(errors).toEqual([]);
  expect(data?.queues).toEqual(asTheyAre);
  const [first, second] = [data, (await ask(url, query, { token })).data].map(
    (one) => (one?.queues as { oldestWaitingMs: number }[] | undefined)?.[0]?.oldestWaitingMs ?? 0,
  );
  expect(second).toBeGreaterThan(first ?? 0);
});

test('a subscriber receives the state of the queues repeatedly', async () => {
  const stream = await listen(url, `subscription ${query.replace('queues', 'queueDepths')}`, { token });
  for (let n = 0; n < 2; n += 1) expect((await stream.next())?.data.data?.queueDepths).toEqual(asTheyAre);
  stream.leave();
});

test('restricted operators cannot see the queues of the platform', async () => {
  for (const to of [{ countries: ['TH' as const] }, { merchantIds: ['M100'] }]) {
    const restricted = await fixture.letInRestricted(to);
    expect((await ask(url, query, { token: restricted })).errors).toMatchObject([
      { message: expect.stringContaining("whole platform's"), extensions: { code: 'FORBIDDEN' } },
    ]);
    const stream = await listen(url, 'subscription { queueDepths { waiting } }', { token: restricted });
    expect((await stream.next())?.data.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(await stream.next()).toMatchObject({ event: 'complete' });
  }
});

test('the queues of a cluster are read too', { timeout: 60_000 }, async () => {
  const { url: redisUrl } = await cluster;
  const reader = openQueueReader({ redisUrl, log: silent });
  const names = async () => (await reader.read()).map(({ name }) => name);
  await vi.waitFor(async () => expect(await names()).toEqual(queueNames), { timeout: 10_000 });
  await reader.close();
});

// The last test, because it stops Redis.
test('without Redis its users report it within a second, and continue when it is back', {
  timeout: 60_000,
}, async () => {
  const orders = 'subscription { orderChanged { orderNo } }';
  const depths = 'subscription { queueDepths { waiting } }';
  const streams = await Promise.all([orders, depths].map((query) => listen(url, query, { token })));
  await redis.stop();
  const began = performance.now();
  expect(await ask(url, query, { token })).toMatchObject({
    errors: [{ message: expect.stringContaining('Redis is unavailable'), extensions: { code: 'SERVICE_UNAVAILABLE' } }],
  });
  expect(performance.now() - began).toBeLessThan(2_000);
  for (const stream of streams) {
    let messages = await stream.next();
    while (messages?.data.data?.queueDepths) messages = await stream.next();
    expect(messages?.data.errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
    expect(await stream.next()).toEqual({ event: 'complete', data: {} });
  }
  for (const query of [orders, depths]) {
    const refused = await listen(url, query, { token });
    expect((await refused.next())?.data.errors).toMatchObject([
      { message: expect.stringContaining('Redis is unavailable'), extensions: { code: 'SERVICE_UNAVAILABLE' } },
    ]);
  }
  await redis.startAgain();
  await vi.waitFor(
    async () => {
      expect((await ask(url, query, { token })).errors).toEqual([]);
      const stream = await listen(url, orders, { token });
      expect(await stream.isQuiet(200)).toBe(true);
      stream.leave();
    },
    { timeout: 20_000, interval: 500 },
  );
});
