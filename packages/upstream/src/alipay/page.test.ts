import type { ChannelOrder } from '@tidegate/domain/channels';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { longDeadline, NO_ANSWER } from '../testing/contract-subject.ts';
import { makeKeyAccount } from './fake/index.ts';
import { beijingTime } from './gateway.ts';
import { type OpenedFake, openFake, pooledKeys } from './testing/open-fake.ts';

let opened: OpenedFake;
beforeAll(async () => {
  const account = makeKeyAccount(pooledKeys());
  opened = await openFake({ ...account, credentials: { ...account.credentials, product: 'page', subject: '书 co' } });
});
afterEach(() => opened.control('clock', { offsetSeconds: 0 }));
afterAll(() => opened.close());

async function linkOf(order: ChannelOrder): Promise<string> {
  const answer = await opened.channel.create(order, longDeadline());
  if (answer.outcome !== 'accepted' || !answer.payLink) throw new Error(`no link, but ${answer.outcome}`);
  return answer.payLink;
}

const visit = async (link = '') => (await fetch(link)).text();

test('the page of an order is a signed link that the payer opens', async () => {
  const order = opened.order({ amount: '80.05' });
  const answer = await opened.channel.create(order, longDeadline());
  expect(answer).toEqual({
    outcome: 'accepted',
    channelRef: order.orderNo,
    payLink: expect.stringMatching(/page\.pay/),
  });
  const link = answer.outcome === 'accepted' ? (answer.payLink ?? '') : '';
  expect(await (await fetch(link)).text()).toContain(order.orderNo);
  expect((await fetch(link.replace('80.05', '80.06'))).headers.get('content-type')).toContain('text/html');
  expect(opened.fake.trade(order.orderNo)).toMatchObject({
    state: 'WAIT_BUYER_PAY',
    amount: '80.05',
    subject: '书 co',
  });
  await opened.control('pay', { orderNo: order.orderNo });
  expect(await opened.channel.create(order, longDeadline())).toMatchObject({ outcome: 'paid' });
});

test('if the gateway does not answer a create, its outcome is unknown and there is no link', async () => {
  opened.fake.server.faults.next('server_error');
  const answer = await opened.channel.create(opened.order(), longDeadline());
  expect(answer).toMatchObject(NO_ANSWER);
  expect(answer).not.toHaveProperty('payLink');
});

test('a cancel does not close an order whose link was not opened, because the link can still be paid', async () => {
  const order = opened.order({ amount: '80.05' });
  const link = await linkOf(order);
  const known = { ...order, channelRef: order.orderNo };
  expect(await opened.channel.query(known, longDeadline())).toMatchObject({ outcome: 'accepted' });
  expect(await opened.channel.cancel(known, longDeadline())).toMatchObject({ outcome: 'unknown', why: 'not_found' });
  await visit(link);
  await opened.control('pay', { orderNo: order.orderNo });
  expect(await opened.channel.query(known, longDeadline())).toMatchObject({ outcome: 'paid' });
});

test('a cancel closes an order whose link was opened', async () => {
  const order = opened.order({ amount: '80.05' });
  await visit(await linkOf(order));
  expect(await opened.channel.cancel(order, longDeadline())).toMatchObject({ outcome: 'closed' });
  await opened.control('pay', { orderNo: order.orderNo });
  expect(await opened.channel.query(order, longDeadline())).toMatchObject({ outcome: 'closed' });
});

test('a link expires with its order, whenever it was opened', async () => {
  const [unopened, late] = [opened.order({ amount: '80.05' }), opened.order({ amount: '80.05' })];
  const links = [await linkOf(unopened), await linkOf(late)];
  await opened.control('clock', { offsetSeconds: 590 });
  await visit(links[1]);
  expect(await opened.channel.query(late, longDeadline())).toMatchObject({ outcome: 'accepted' });
  await opened.control('clock', { offsetSeconds: 600 });
  await visit(links[0]);
  await opened.control('pay', { orderNo: late.orderNo });
  expect(await opened.channel.query(late, longDeadline())).toMatchObject({ outcome: 'closed' });
  expect(opened.fake.trade(unopened.orderNo)).toBeUndefined();
});

test('a link lives for 15 days at most, and never beyond the end of its order', async () => {
  const endOf = (link: string) => JSON.parse(new URL(link).searchParams.get('biz_content') ?? '').time_expire;
  const before = Date.now();
  const day = endOf(await linkOf(opened.order({ expiresInSeconds: 86_400 })));
  const month = endOf(await linkOf(opened.order({ expiresInSeconds: 30 * 86_400 })));
  const after = Date.now();
  for (const [end, days] of [
    [day, 1],
    [month, 15],
  ] as const) {
    expect(end >= beijingTime(before + days * 86_400_000 - 2_000)).toBe(true);
    expect(end < beijingTime(after + days * 86_400_000)).toBe(true);
  }
});
