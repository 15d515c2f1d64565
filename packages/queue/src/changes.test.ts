import type { Change, Log } from '@tidegate/domain';
import { afterEach, expect, test, vi } from 'vitest';
import { type OwnCluster, startOwnCluster } from '../test/own-cluster.ts';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import { openAnnouncer, type RunningAnnouncer } from './changes.ts';
import { connectRedis } from './connection.ts';
import { listenToChanges, type RunningListener } from './listen-to-changes.ts';

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const open: { close(): unknown }[] = [];
const redises: (OwnRedis | OwnCluster)[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  for (const redis of redises.splice(0)) await redis.remove();
});

const moved = (orderNo: string): Change => ({ type: 'order', merchantId: 'M1', orderNo, status: 'completed' });

function announcer(redisUrl: string): RunningAnnouncer {
  const opened = openAnnouncer({ redisUrl, log: silent });
  open.push(opened);
  return opened;
}

interface Ear extends RunningListener {
  heard: string[];
  lost: number;
}

/** Listens, and waits until it hears. */
async function ear(redisUrl: string): Promise<Ear> {
  const heard: string[] = [];
  let lost = 0;
  const listener = listenToChanges({
    redisUrl,
    log: silent,
    heard: (changes) => void heard.push(...changes.map((one) => (one.type === 'order' ? one.orderNo : ''))),
    lost: () => {
      lost += 1;
    },
  });
  open.push(listener);
  await vi.waitFor(() => expect(listener.isHearing()).toBe(true), { timeout: 10_000 });
  return {
    ...listener,
    heard,
    get lost() {
      return lost;
    },
  };
}

/** Announces until something arrives: the first may come before the connection stands. */
async function untilHeard({ announce }: RunningAnnouncer, ears: Ear[], name: string): Promise<void> {
  let n = 0;
  await vi.waitFor(
    () => {
      announce([moved(`${name}-${++n}`)]);
      for (const { heard } of ears) expect(heard.some((one) => one.startsWith(name))).toBe(true);
    },
    { timeout: 20_000, interval: 50 },
  );
}

async function ownRedis(): Promise<OwnRedis> {
  const redis = await startOwnRedis();
  redises.push(redis);
  return redis;
}

test('what one process commits is heard by all that listen, in its order', async () => {
  const { url } = await ownRedis();
  const ears = [await ear(url), await ear(url)];
  const one = announcer(url);
  await untilHeard(one, ears, 'FIRST');
  const numbers = Array.from({ length: 1_200 }, (_, n) => `PI${n}`);
  one.announce(numbers.slice(0, 1).map(moved));
  one.announce(numbers.slice(1).map(moved));
  for (const { heard } of ears)
    await vi.waitFor(() => expect(heard.filter((no) => no.startsWith('PI'))).toEqual(numbers), { timeout: 10_000 });
  expect(ears.map(({ lost }) => lost)).toEqual([0, 0]);
});

test('the first word of a process is heard, although its connection does not stand yet', async () => {
  const redis = await startOwnRedis();
  redises.push(redis);
  const listener = await ear(redis.url);
  announcer(redis.url).announce([moved('PI1')]);
  await vi.waitFor(() => expect(listener.heard).toEqual(['PI1']), 5_000);
});

test('another database of the same Redis is another world', async () => {
  const { url } = await ownRedis();
  const database = (number: number) => Object.assign(new URL(url), { pathname: `/${number}` }).href;
  const [here, there] = [await ear(database(0)), await ear(database(1))];
  await untilHeard(announcer(database(0)), [here], 'HERE');
  await untilHeard(announcer(database(1)), [there], 'THERE');
  expect(there.heard.some((one) => one.startsWith('HERE'))).toBe(false);
});

test('while Redis is away nobody waits and nothing is heard; that is noticed, and when it is back all goes on', {
  timeout: 60_000,
}, async () => {
  const redis = await ownRedis();
  const here = await ear(redis.url);
  const one = announcer(redis.url);
  await untilHeard(one, [here], 'BEFORE');
  await redis.stop();
  const began = performance.now();
  for (let n = 0; n < 1_000; n += 1) one.announce([moved(`GONE-${n}`)]);
  expect(performance.now() - began).toBeLessThan(500);
  await vi.waitFor(() => expect([here.isHearing(), here.lost]).toEqual([false, 1]), { timeout: 15_000 });
  await redis.startAgain();
  await vi.waitFor(() => expect(here.isHearing()).toBe(true), { timeout: 15_000 });
  await untilHeard(one, [here], 'AFTER');
  expect(here.heard.some((no) => no.startsWith('GONE'))).toBe(false);
});

test('a connection that broke for a moment only: what went by meanwhile is known to be missing', async () => {
  const { url } = await ownRedis();
  const here = await ear(url);
  const one = announcer(url);
  await untilHeard(one, [here], 'BEFORE');
  const admin = connectRedis(url, 'worker', silent);
  open.push({ close: () => admin.disconnect() });
  await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  // Whoever tells does not know that nobody hears.
  one.announce([moved('LOST')]);
  await vi.waitFor(() => expect(here.heard.includes('LOST') || here.lost > 0).toBe(true), { timeout: 10_000 });
  expect(here.heard).not.toContain('LOST');
});

test('more than can wait is dropped, and known to be missing', async () => {
  const { url } = await ownRedis();
  const here = await ear(url);
  const one = announcer(url);
  await untilHeard(one, [here], 'BEFORE');
  one.announce(Array.from({ length: 10_100 }, (_, n) => moved(`MANY-${n}`)));
  await vi.waitFor(() => expect(here.lost).toBe(1), { timeout: 10_000 });
  const many = here.heard.filter((no) => no.startsWith('MANY')).length;
  expect([many > 9_900, many <= 10_000]).toEqual([true, true]);
});

test('so is what was dropped before a process was heard at all', async () => {
  const { url } = await ownRedis();
  const here = await ear(url);
  announcer(url).announce(Array.from({ length: 10_001 }, (_, n) => moved(`MANY-${n}`)));
  await vi.waitFor(() => expect(here.lost).toBe(1), { timeout: 10_000 });
});

test('what no sender of ours said is passed over', async () => {
  const { url } = await ownRedis();
  const here = await ear(url);
  const admin = connectRedis(url, 'worker', silent);
  open.push({ close: () => admin.disconnect() });
  for (const text of ['', 'null', '{"from":"x"}', '[1]', '{"from":"x","no":1,"changes":"none"}'])
    await admin.publish('tidegate:changes:0', text);
  await untilHeard(announcer(url), [here], 'OURS');
  expect(here.heard.every((one) => one.startsWith('OURS'))).toBe(true);
});

test('what waits when a process ends is told before it does', async () => {
  const { url } = await ownRedis();
  const here = await ear(url);
  const one = announcer(url);
  await untilHeard(one, [here], 'BEFORE');
  one.announce([moved('LAST')]);
  await one.close();
  await vi.waitFor(() => expect(here.heard).toContain('LAST'), { timeout: 5_000 });
});

test('on a cluster changes are heard whatever node they are told to, also when a node hangs and comes back', {
  timeout: 120_000,
}, async () => {
  const cluster = await startOwnCluster();
  redises.push(cluster);
  const ears = [await ear(cluster.url), await ear(cluster.url), await ear(cluster.url)];
  const one = announcer(cluster.url);
  await untilHeard(one, ears, 'FIRST');
  for (let n = 0; n < 100; n += 1) {
    one.announce([moved(`PI${n}`)]);
    await new Promise(setImmediate);
  }
  const seen = ({ heard }: Ear) => heard.filter((no) => no.startsWith('PI')).length;
  await vi.waitFor(() => expect(ears.map(seen)).toEqual([100, 100, 100]), { timeout: 10_000 });
  expect(ears.map(({ lost }) => lost)).toEqual([0, 0, 0]);
  for (const node of cluster.masters) {
    const before = ears.map(({ lost }) => lost);
    process.kill(node.pid, 'SIGSTOP');
    // Without a replica everything ends with one node, and whatever node each of them hangs on, it finds out.
    const noticed = () => ears.map(({ lost }, i) => lost > (before[i] ?? 0));
    await vi.waitFor(() => expect(noticed()).toEqual([true, true, true]), { timeout: 20_000 });
    process.kill(node.pid, 'SIGCONT');
    await cluster.whole();
    await vi.waitFor(() => expect(ears.map((one) => one.isHearing())).toEqual([true, true, true]), { timeout: 20_000 });
    await untilHeard(one, ears, `AFTER-${node.pid}`);
  }
});
