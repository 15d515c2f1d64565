import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { Country } from '../core/country.ts';
import type { Order } from '../core/order.ts';
import { aMerchant, makeDue, makeExpired, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { dueWork } from './due-work.ts';
import { dueWorkStatement } from './queries.ts';
import { expireOrder, pollOrder } from './work-on-order.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

/** A payin that its channel has accepted, so that it waits to be polled. */
async function onItsWay(country: Country): Promise<Order> {
  const { merchantId } = await aMerchant(fixture.domain, country);
  const order = await placePayin(fixture.domain, merchantId, country);
  await fixture.domain.commit(aReport(order, { outcome: 'accepted', channelRef: 'R' }, 'create'));
  return order;
}
const answer = (query: ChannelAnswer, cancel?: ChannelAnswer): void => {
  fixture.channel.answers.query = query;
  if (cancel) fixture.channel.answers.cancel = cancel;
  fixture.channel.calls.length = 0;
};
const callNames = (): string => fixture.channel.calls.map(({ operation }) => operation).join(' ');
const pending: ChannelAnswer = { outcome: 'accepted', channelRef: 'R' };
const closed: ChannelAnswer = { outcome: 'closed' };
const noAnswer: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: '' };
const notFound: ChannelAnswer = { outcome: 'unknown', why: 'not_found', detail: '' };

test('due work is found, oldest first, up to a limit, and claimed or later work is not found', async () => {
  const [first, second, claimed, later] = [
    await onItsWay('IN'),
    await onItsWay('TH'),
    await onItsWay('PK'),
    await onItsWay('IN'),
  ];
  for (const order of [first, second, claimed]) await makeDue(fixture.domain, order);
  answer(pending);
  expect(await pollOrder(fixture.domain, claimed)).toBe('done');
  expect(await pollOrder(fixture.domain, claimed)).toBe('not_due');
  expect(await pollOrder(fixture.domain, later)).toBe('not_due');
  const ours = [first, second, claimed, later].map((order) => order.orderNo);
  const due = (await dueWork(fixture.domain, 100)).filter((work) => ours.includes(work.orderNo));
  expect(due).toEqual(
    [first, second].map(({ merchantId, orderNo }) => ({
      queue: 'poll',
      merchantId,
      orderNo,
      channelId: 'fake',
      dueAt: expect.any(Number),
    })),
  );
  expect(await dueWork(fixture.domain, 1)).toHaveLength(1);
  for (const order of [first, second]) await pollOrder(fixture.domain, order);
});

test('a backlog of one channel and action hides the due work of no other', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const { pool } = fixture.domain.database;
  const orders: Record<string, Order[]> = { busy: [], quiet: [] };
  for (const channelId of ['busy', 'busy', 'busy', 'quiet'])
    orders[channelId]?.push(await placePayin(fixture.domain, merchantId, 'CN', { channelId }));
  await pool.query(
    `update orders set next_action = 'poll', next_action_at = clock_timestamp() - interval '1 hour' where channel_id = 'busy'`,
  );
  const [expiring] = orders.busy as [Order];
  await makeExpired(fixture.domain, expiring);
  const due = await dueWork(fixture.domain, 3);
  expect(due.map(({ queue, orderNo }) => ({ queue, orderNo }))).toEqual([
    { queue: 'poll', orderNo: orders.busy?.[1]?.orderNo },
    { queue: 'submit', orderNo: orders.quiet?.[0]?.orderNo },
    { queue: 'expire', orderNo: expiring.orderNo },
  ]);
  await pool.query('update orders set next_action = null, next_action_at = null where merchant_id = $1', [merchantId]);
});

test('due work is read by its index, on tables of any size', async () => {
  const { rows } = await fixture.domain.database.pool.query(`explain (generic_plan) ${dueWorkStatement.text}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).not.toMatch(/Seq Scan on orders/);
  expect(plan.match(/orders_due_by_channel/g)?.length).toBeGreaterThanOrEqual(3);
  expect(plan).not.toMatch(/Seq Scan on refund/);
  expect(plan.match(/refund_due_by_channel/g)?.length).toBe(4);
});

test('a poll finds a payment that no callback reported', async () => {
  const order = await onItsWay('PK');
  await makeDue(fixture.domain, order);
  answer(paid());
  expect(await pollOrder(fixture.domain, order)).toBe('done');
  expect(await orderNow(fixture.domain, order)).toMatchObject({ status: 'completed', nextAction: null });
});

test.each<[Country, ChannelAnswer, ChannelAnswer, calls: string, Partial<Order>]>([
  ['TH', pending, closed, 'query cancel', { status: 'timeout', nextAction: null }],
  ['IN', pending, closed, 'query cancel', { status: 'timeout', nextAction: null }],
  ['CN', pending, closed, 'query cancel', { status: 'cancelled', nextAction: null }],
  ['PK', pending, closed, 'query cancel', { status: 'cancelled', nextAction: null }],
  ['IN', paid(), closed, 'query', { status: 'completed', nextAction: null }],
  ['IN', pending, paid(), 'query cancel', { status: 'completed', nextAction: null }],
  ['IN', pending, noAnswer, 'query cancel', { status: 'processing', nextAction: 'expire', attempt: 1 }],
  ['IN', noAnswer, closed, 'query', { status: 'processing', nextAction: 'expire', attempt: 1 }],
  ['IN', notFound, closed, 'query', { status: 'timeout', nextAction: 'poll' }],
  ['TH', { outcome: 'failed', reason: 'x' }, closed, 'query', { status: 'failed', nextAction: null }],
])(
  'a payin of %s at its expiry: the query answers %j, and a cancel after it %j',
  async (country, query, cancel, calls, expected) => {
    const order = await onItsWay(country);
    await makeExpired(fixture.domain, order);
    answer(query, cancel);
    expect(await expireOrder(fixture.domain, order)).toBe('done');
    expect(callNames()).toBe(calls);
    expect(await orderNow(fixture.domain, order)).toMatchObject(expected);
  },
);

test('late money is found by polling, and waits for an operator', async () => {
  const order = await onItsWay('CN');
  await makeExpired(fixture.domain, order);
  answer(notFound);
  await expireOrder(fixture.domain, order);
  await makeDue(fixture.domain, order);
  answer(paid());
  expect(await pollOrder(fixture.domain, order)).toBe('done');
  expect(await orderNow(fixture.domain, order)).toMatchObject({ status: 'cancelled', nextAction: null });
  const { rows } = await fixture.domain.database.pool.query('select kind, amount from money_case where order_no = $1', [
    order.orderNo,
  ]);
  expect(rows).toEqual([{ kind: 'late', amount: '100.00' }]);
});
