import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { UnusableSettings } from '../../channels/channel-adapter.ts';
import type { ChannelAnswer } from '../../core/channel-answer.ts';
import type { EndedWatch } from '../../core/ended-watch.ts';
import type { Order } from '../../core/order.ts';
import { audit } from '../../entries/admin.ts';
import { bareAdapter } from '../../testing/bare-adapter.ts';
import { aMerchant, openTestDomain, orderNow, type TestDomain } from '../../testing/index.ts';
import { aReport, paid, placePayin } from '../../testing/payins.ts';
import { aFundedMerchant, placePayout } from '../../testing/payouts.ts';
import { takeCallback } from '../take-callback.ts';
import { dueWatchesStatement } from './queries.ts';
import { dueWatches, longestDueWatches, queryEndedOrder } from './query-ended-order.ts';
import { dropOverWatches, watchEndedOrders } from './watch-ended-orders.ts';

// Ended orders whose outcome can still change are queried a few times more.

let fixture: TestDomain;
beforeAll(async () => {
  const unusable = bareAdapter(() => {
    throw new UnusableSettings('unusable', [{ path: 'credentials.secret', reason: 'is missing' }]);
  });
  const adapters = { unusable: { ...unusable, watchesEnded: watches } };
  fixture = await openTestDomain((await createTestDatabase()).url, { adapters });
});
beforeEach(async () => {
  await query('delete from order_watch');
  fixture.channel.watchesEnded = watches;
  fixture.channel.calls.length = 0;
});
afterAll(() => fixture.close());

const watches: readonly EndedWatch[] = [
  { kind: 'payout', ended: 'paid', afterHours: [6, 24] },
  { kind: 'payin', ended: 'unpaid', afterHours: [6] },
];
const query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await fixture.domain.database.pool.query(text, values)).rows;
const returned: ChannelAnswer = {
  outcome: 'returned',
  payments: [{ reference: 'P1', amount: '100.00' }],
  returned: { reference: 'P1', amount: '100.00' },
  reason: 'account closed',
};
const noAnswer: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: 'HTTP 503' };

async function aPaidPayout(): Promise<Order> {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN');
  const order = await placePayout(fixture.domain, merchantId, 'IN');
  await fixture.domain.commit(aReport(order, paid()));
  return order;
}

async function anUnpaidPayin(): Promise<Order> {
  const { merchantId } = await aMerchant(fixture.domain, 'IN');
  const order = await placePayin(fixture.domain, merchantId, 'IN');
  await fixture.domain.commit(aReport(order, { outcome: 'timed_out', reason: 'expired' }));
  return order;
}

const numbersOf = (rows: Record<string, unknown>[]) => rows.map(({ order_no }) => order_no);
const inTheWatch = async () => numbersOf(await query('select order_no from order_watch order by ended_at'));

/** Lets the worker take what ended into the watch. It waits a second for transactions that are still open. */
async function untilWatched(...orders: Order[]): Promise<void> {
  await vi.waitFor(
    async () => {
      await watchEndedOrders(fixture.domain);
      expect(await inTheWatch()).toEqual(expect.arrayContaining(orders.map(({ orderNo }) => orderNo)));
    },
    { timeout: 10_000, interval: 100 },
  );
}

/** Lets this number of hours pass for the watch of an order. */
const later = (hours: number, { orderNo }: Order) =>
  query(
    `update order_watch set ended_at = ended_at - $1 * interval '1 hour', due_at = due_at - $1 * interval '1 hour' where order_no = $2`,
    [hours, orderNo],
  );
const hoursLeft = async ({ orderNo }: Order): Promise<number | null> => {
  const sql = `select round(extract(epoch from due_at - clock_timestamp()) / 3600)::integer as hours from order_watch where order_no = $1`;
  return ((await query(sql, [orderNo]))[0]?.hours as number | undefined) ?? null;
};
const casesOf = async ({ orderNo }: Order) =>
  (await query('select kind, amount from money_case where order_no = $1', [orderNo])).map(
    ({ kind, amount }) => `${kind} ${amount}`,
  );
const queries = () => fixture.channel.calls.map(({ operation }) => operation).join(' ');

test('a watched payout that comes back days later is found once without a callback, and an unwatched payout is not found', async () => {
  const { domain, channel } = fixture;
  const paidPayin = await placePayin(domain, (await aMerchant(domain, 'IN')).merchantId, 'IN');
  await domain.commit(aReport(paidPayin, paid()));
  const refused = await placePayin(domain, (await aMerchant(domain, 'IN')).merchantId, 'IN');
  await domain.commit(aReport(refused, { outcome: 'refused', reason: 'no' }, 'create'));
  const [payout, payin] = [await aPaidPayout(), await anUnpaidPayin()];
  await untilWatched(payout, payin);
  expect(await inTheWatch()).toEqual([payout.orderNo, payin.orderNo]);
  expect(await queryEndedOrder(domain, payout)).toBe('not_due');
  expect([await hoursLeft(payout), queries()]).toEqual([6, '']);

  channel.answers.query = paid();
  await later(6, payout);
  expect(await queryEndedOrder(domain, payout)).toBe('done');
  expect([await casesOf(payout), await hoursLeft(payout)]).toEqual([[], 18]);

  channel.answers.query = returned;
  await later(18, payout);
  expect(await queryEndedOrder(domain, payout)).toBe('done');
  const body = Buffer.from(JSON.stringify({ ...payout, answer: returned }));
  expect(await takeCallback(domain, 'fake', {}, body)).toMatchObject({ outcome: 'taken' });
  expect(await casesOf(payout)).toEqual(['payout_returned 100.00']);
  expect(await orderNow(domain, payout)).toMatchObject({ status: 'completed', nextAction: null });
  expect([await hoursLeft(payout), queries()]).toEqual([null, 'query query']);
  expect((await audit(domain)).violations).toEqual([]);
});

test('late money is found, and the watch does not book it again after a callback reported it', async () => {
  const { domain, channel } = fixture;
  const [silent, reported] = [await anUnpaidPayin(), await anUnpaidPayin()];
  await untilWatched(silent, reported);
  await domain.commit(aReport(reported, paid()));
  channel.answers.query = paid();
  for (const order of [silent, reported]) {
    await later(6, order);
    expect(await queryEndedOrder(domain, order)).toBe('done');
    expect(await casesOf(order)).toEqual(['late 100.00']);
    expect(await orderNow(domain, order)).toMatchObject({ status: 'timeout' });
  }
});

test('a query without news does not change the order, and an expired watch ends without a query', async () => {
  const { domain, channel } = fixture;
  const payout = await aPaidPayout();
  await untilWatched(payout);
  const rows = () =>
    query(
      `select o.xmin::text as "order", w.xmin::text as wallet, (select count(*) from order_transition t where t.order_no = o.order_no) as transitions
       from orders o join wallet w using (merchant_id) where order_no = $1`,
      [payout.orderNo],
    );
  const before = await rows();
  for (const answer of [paid(), noAnswer, { outcome: 'unknown', why: 'not_found', detail: '' } as const]) {
    channel.answers.query = answer;
    await query(`update order_watch set due_at = clock_timestamp() - interval '1 second'`);
    expect(await queryEndedOrder(domain, payout)).toBe('done');
  }
  expect(queries()).toBe('query query query');
  expect(await rows()).toEqual(before);
  await later(24 + 31, payout);
  expect(await queryEndedOrder(domain, payout)).toBe('done');
  expect([await hoursLeft(payout), queries()]).toEqual([null, 'query query query']);
});

test('two workers query an ended order once, and an order without an answer is queried again after six hours', async () => {
  const { domain, channel } = fixture;
  const payin = await anUnpaidPayin();
  await untilWatched(payin);
  channel.answers.query = noAnswer;
  await later(6, payin);
  const outcomes = await Promise.all([1, 2, 3].map(() => queryEndedOrder(domain, payin)));
  expect([outcomes.sort(), queries()]).toEqual([['done', 'not_due', 'not_due'], 'query']);
  expect(await hoursLeft(payin)).toBe(6);
  channel.answers.query = { outcome: 'timed_out', reason: 'expired' };
  await later(6, payin);
  await queryEndedOrder(domain, payin);
  expect(await hoursLeft(payin)).toBe(null);
});

test('orders of a channel without a declared watch are not watched, and a withdrawn declaration ends the watches', async () => {
  const { domain, channel } = fixture;
  const before = await anUnpaidPayin();
  await untilWatched(before);
  channel.watchesEnded = [];
  await later(6, before);
  expect(await queryEndedOrder(domain, before)).toBe('done');
  expect([await inTheWatch(), queries()]).toEqual([[], '']);
  const unwatched = await anUnpaidPayin();
  await query(`update order_watch_progress set until = until - interval '2 minutes'`);
  await vi.waitFor(
    async () => {
      await watchEndedOrders(domain);
      const [row] = await query(
        `select until > (select updated_at from orders where order_no = $1) as passed from order_watch_progress`,
        [unwatched.orderNo],
      );
      await query(`update order_watch_progress set until = until - interval '2 minutes' where not $1::boolean`, [
        row?.passed === true,
      ]);
      expect(row?.passed).toBe(true);
    },
    { timeout: 10_000, interval: 200 },
  );
  channel.watchesEnded = watches;
  await watchEndedOrders(domain);
  expect(await inTheWatch()).toEqual([]);
});

test('orders of a channel whose settings or adapter cannot be used now are queried again hours later', async () => {
  const { domain } = fixture;
  await query(`insert into channel (channel_id, adapter, base_url)
    values ('unusable', 'unusable', 'http://c.test'), ('unknown', 'not-installed', 'http://c.test')`);
  const place = async (channelId: string) => {
    const order = await placePayin(domain, (await aMerchant(domain, 'IN')).merchantId, 'IN', { channelId });
    await domain.commit({ ...aReport(order, { outcome: 'timed_out', reason: 'expired' }), channelId });
    return order;
  };
  const orders = [await place('unusable'), await place('unknown')];
  await untilWatched(...orders);
  for (const order of orders) {
    expect(await hoursLeft(order)).toBe(6);
    await later(6, order);
    expect(await queryEndedOrder(domain, order)).toBe('done');
    expect([order.channelId, await hoursLeft(order), queries()]).toEqual([order.channelId, 6, '']);
    await later(31 * 24 + 24, order);
    expect(await queryEndedOrder(domain, order)).toBe('done');
    expect(await hoursLeft(order)).toBe(null);
  }
});

test('of each channel the longest due watches are found, by an index on a table of any size', async () => {
  const { domain } = fixture;
  await query(
    `insert into channel (channel_id, adapter, base_url) values ('other', 'fake', 'http://other.test') on conflict do nothing`,
  );
  await query(`insert into order_watch select 'M', channel_id || n, channel_id, now(), now() + (n - 3) * interval '1 hour'
    from generate_series(1, 5) n cross join (values ('fake'), ('other')) c(channel_id)`);
  const due = await dueWatches(domain, 2);
  expect(due.map(({ orderNo }) => orderNo).sort()).toEqual(['fake1', 'fake2', 'other1', 'other2']);
  expect(due[0]).toMatchObject({ queue: 'poll', isWatch: true, merchantId: 'M', dueAt: expect.any(Number) });
  const oldest = {
    channelId: expect.stringMatching(/^(fake|other)$/),
    dueAt: Math.min(...due.map((one) => one.dueAt)),
  };
  expect(await longestDueWatches(domain)).toEqual([oldest, oldest]);
  const plan = (await query(`explain (generic_plan) ${dueWatchesStatement.text}`))
    .map((row) => row['QUERY PLAN'])
    .join('\n');
  expect(plan.match(/order_watch_due/g)?.length).toBeGreaterThanOrEqual(3);
});

test('the backlog of watches is bounded: watches of orders that ended too long ago are dropped in batches, without a query', async () => {
  const { domain } = fixture;
  await query(`insert into order_watch select 'M', 'over' || n, 'fake', now() - interval '55 hours', now() - interval '40 hours'
    from generate_series(1, 5) n`);
  await query(
    `insert into order_watch values ('M', 'late', 'fake', now() - interval '53 hours', now() - interval '30 hours')`,
  );
  const isMore: boolean[] = [];
  for (let run = 0; run < 3; run++) isMore.push(await dropOverWatches(domain, 2));
  expect(isMore).toEqual([true, true, false]);
  expect([await inTheWatch(), queries()]).toEqual([['late'], '']);
});
