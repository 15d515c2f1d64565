import { createPayin, type MerchantProfile, type Work } from '@tidegate/domain';
import {
  aBacklogOf,
  aMerchant,
  aNotification,
  openTestDomain,
  placePayin,
  type TestDomain,
} from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openNotificationJobs } from '../delivery-slots/notification-jobs.ts';
import { openBacklogWaker } from '../delivery-slots/wake-backlogs.ts';
import { dispatch } from './dispatch.ts';
import { type JobContext, orderData } from './job.ts';
import { poll } from './poll.ts';

let fixture: TestDomain;
const orderNos: string[] = [];
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const merchant = (await fixture.domain.directory.merchant(merchantId)) as MerchantProfile;
  for (let n = 0; n < 5; n++) {
    const request = { merchantOrderNo: `M-${n}`, amount: '10.00', bankCode: null, notifyUrl: null, details: {} };
    const created = await createPayin(fixture.domain, merchant, request);
    if (!created.ok) throw new Error(created.rejection);
    orderNos.push(created.value.orderNo);
  }
});
afterAll(() => fixture.close());

/** As in dispatch.ts. */
const jobsPerBacklog = 16;
const jobsOfFullChannel = 16;

const shares = { notify: openNotificationJobs(1), retry: openNotificationJobs(1) };
const noRedis = (): Promise<never> => Promise.reject(new Error('Redis is unavailable'));

async function addedWorks(waiting: number): Promise<{ outcome: string; works: Work[] }> {
  const works: Work[] = [];
  const outcome = await runDispatch(waiting, async (queue, some) => {
    expect(queue).toBe('submit');
    works.push(...some);
  });
  return { outcome, works };
}

function runDispatch(waiting: number, add: JobContext['add'], full: readonly string[] = []): Promise<string> {
  const slots = { enter: noRedis, leave: noRedis, room: noRedis, markBacklog: noRedis, openBreakers: noRedis };
  const fullChannels = { mark: () => undefined, unmark: () => undefined, read: async () => new Set(full) };
  return dispatch(
    {
      domain: fixture.domain,
      deliver: () => Promise.reject(new Error('nothing is to be delivered')),
      add,
      fullChannels,
      countWaiting: async () => waiting,
      slots,
      shares,
      notified: () => undefined,
      ending: new AbortController().signal,
      dueRotation: new Map(),
      backlogs: openBacklogWaker({ domain: fixture.domain, slots, add: noRedis }),
    },
    {},
  );
}

test.each([
  ['no job waits: all due work is added', 0, 'found', 5],
  ['fewer jobs wait than are due: all are added, each job once', 4, 'found', 5],
  ['as many jobs wait as are due: none is added', 5, 'nothing', 0],
  ['more jobs wait than are due: none is added', 900, 'nothing', 0],
])('the dispatcher adds jobs: %s', async (_name, waiting, outcome, count) => {
  const result = await addedWorks(waiting);
  expect(result.outcome).toBe(outcome);
  expect(result.works.map((work) => work.orderNo)).toEqual(orderNos.slice(0, count));
});

test('a wake-up and the dispatcher make the same work', async () => {
  const woken = fixture.woken.filter((work) => work.queue === 'submit');
  expect((await addedWorks(0)).works).toEqual(woken);
});

test('a queue that cannot be reached does not delay others, and the run counts as failed', async () => {
  const [first] = orderNos;
  await fixture.domain.database.pool.query(`update orders set next_action = 'poll' where order_no = $1`, [first]);
  for (const away of ['submit', 'poll']) {
    const reached: string[] = [];
    const run = runDispatch(0, async (queue) => {
      if (queue === away) throw new Error('its node is unavailable');
      reached.push(queue);
    });
    await expect(run).rejects.toThrow('its node is unavailable');
    expect(reached).toEqual([away === 'submit' ? 'poll' : 'submit']);
  }
});

test('if a host has more due notifications than slots, some get jobs, and the others are parked at once', async () => {
  const { domain } = fixture;
  const due = async (notifyUrl: string, copies: number): Promise<string> => {
    const { merchantId } = await aMerchant(domain, 'CN');
    await aBacklogOf(domain, await aNotification(domain, merchantId, notifyUrl), copies);
    return merchantId;
  };
  const busy = await due('https://busy.test/n', 40);
  const other = await due('https://busy.test/n', 3);
  const jobs: Work[] = [];
  await runDispatch(0, async (queue, some) => void (queue === 'notify' && jobs.push(...some)));
  const jobsOf = (merchantId: string) => jobs.filter((work) => work.merchantId === merchantId);
  expect([jobsOf(busy).length, jobsOf(other).length]).toEqual([jobsPerBacklog, 4]);
  const { rows } = await domain.database.pool.query(
    `select merchant_id as "merchantId", held_by as "heldBy", count(*)::integer as count from notification
     where merchant_id = any($1) group by 1, 2`,
    [[busy, other]],
  );
  expect(rows).toHaveLength(3);
  expect(rows).toEqual(
    expect.arrayContaining([
      { merchantId: busy, heldBy: null, count: 16 },
      { merchantId: busy, heldBy: 'host', count: 25 },
      { merchantId: other, heldBy: null, count: 4 },
    ]),
  );
  const again: Work[] = [];
  await runDispatch(0, async (queue, some) => void (queue === 'notify' && again.push(...some)));
  expect(again).toEqual(jobs);
});

test('each run adds jobs to query two ended orders of each channel, and none of a full channel', async () => {
  const { domain, channel } = fixture;
  const { pool } = domain.database;
  const [orderNo = ''] = orderNos;
  await pool.query(
    `insert into order_watch select merchant_id, order_no, channel_id, now(), now() - interval '1 hour' from orders where order_no = any($1)`,
    [orderNos],
  );
  await pool.query(`update order_watch set due_at = now() - interval '2 hours' where order_no = $1`, [orderNo]);
  const run = async (full: readonly string[]) => {
    const works: Work[] = [];
    await runDispatch(0, async (_, some) => void works.push(...some), full);
    return works.filter((work) => 'isWatch' in work);
  };
  expect(await run(['poll fake'])).toEqual([]);
  const [work, ...more] = await run([]);
  expect([work, more.length]).toEqual([expect.objectContaining({ queue: 'poll', orderNo, channelId: 'fake' }), 1]);
  // The poll finds that the order is still open, and deletes its watch.
  await poll({ domain } as JobContext, orderData.parse(work));
  const { rows } = await pool.query(
    'select count(*)::integer as left, bool_or(order_no = $1) as "isLeft" from order_watch',
    [orderNo],
  );
  expect([rows[0], channel.calls]).toEqual([{ left: orderNos.length - 1, isLeft: false }, []]);
  await pool.query('delete from order_watch');
});

test('a full channel gets 16 jobs in a run, and a mark of another queue does not limit it', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'CN');
  const orders = await Promise.all(
    Array.from({ length: 20 }, () => placePayin(domain, merchantId, 'CN', { channelId: 'full' })),
  );
  const run = async (full: readonly string[]) => {
    const works: Work[] = [];
    await runDispatch(0, async (_, some) => void works.push(...some), full);
    return works.filter((work) => 'channelId' in work).map(({ channelId }) => channelId);
  };
  const count = (channelIds: string[], channelId: string) => channelIds.filter((one) => one === channelId).length;
  const jobs = await run(['submit full']);
  expect([count(jobs, 'full'), count(jobs, 'fake')]).toEqual([jobsOfFullChannel, 5]);
  expect(count(await run(['poll full']), 'full')).toBe(20);
  await domain.database.pool.query(
    'update orders set next_action = null, next_action_at = null where order_no = any($1)',
    [orders.map(({ orderNo }) => orderNo)],
  );
});
