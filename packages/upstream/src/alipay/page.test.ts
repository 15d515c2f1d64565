import { afterAll, beforeAll, expect, test } from 'vitest';
import { ample, NO_ANSWER } from '../testing/contract-subject.ts';
import { makeKeyAccount } from './fake/index.ts';
import { type OpenedFake, openFake, pooledKeys } from './testing/open-fake.ts';

let opened: OpenedFake;
beforeAll(async () => {
  const made = makeKeyAccount(pooledKeys());
  opened = await openFake({ ...made, credentials: { ...made.credentials, product: 'page', subject: '书 co' } });
});
afterAll(() => opened.close());

test('the page of an order is a signed link that the payer opens', async () => {
  const order = opened.order({ amount: '80.05' });
  const answer = await opened.channel.create(order, ample());
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
  expect(await opened.channel.create(order, ample())).toMatchObject({ outcome: 'paid' });
});

test('a page is not given without an answer of the gateway', async () => {
  opened.fake.server.faults.next('server_error');
  expect(await opened.channel.create(opened.order(), ample())).toEqual(NO_ANSWER);
});
