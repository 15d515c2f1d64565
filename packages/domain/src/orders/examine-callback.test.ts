import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../channels/set-channel.ts';
import { FakeChannel } from '../testing/fake-channel.ts';
import { aMerchant, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { examineCallback } from './examine-callback.ts';
import { takeCallback } from './take-callback.ts';

let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url, { adapters: { other: () => new FakeChannel() } });
  for (const [channelId, adapter] of [
    ['second', 'fake'],
    ['third', 'fake'],
    ['unrelated', 'other'],
  ] as const)
    await setChannel(fixture.domain, { channelId, adapter, baseUrl: `http://${channelId}.test`, credentials: {} });
  merchantId = (await aMerchant(fixture.domain, 'TH')).merchantId;
});
afterAll(() => fixture.close());

const bytes = (callback: object) => Buffer.from(JSON.stringify(callback));
const examine = (callback: object, channelId = 'fake') =>
  examineCallback(fixture.domain, channelId, {}, bytes(callback));
const report = (orderNo: string, answer: object, currency = 'THB') => ({ kind: 'payin', orderNo, currency, answer });

test('the explanation of a callback names payments that would be booked, and not those that are booked already', async () => {
  const order = await placePayin(fixture.domain, merchantId, 'TH');
  const { orderNo } = order;
  expect(await examine(report(orderNo, paid('E1')))).toMatchObject({
    result: 'report',
    orderNo,
    meaning: 'paid 100.00 (E1)',
    effect: 'the order gets this report, with new payments: E1',
  });
  expect((await orderNow(fixture.domain, order)).status).toBe(order.status);
  await fixture.domain.commit(aReport(order, paid('E1')));
  expect(await examine(report(orderNo, paid('E1')))).toMatchObject({
    orderStatus: 'completed',
    effect: 'the order gets this report',
  });
});

test.each([
  [
    'money for an unknown order',
    report('PI-NOT-OURS', paid('E2')),
    'the money is put aside, with a case: no such order',
  ],
  [
    'a failure report for an unknown order',
    report('PI-NOT-OURS', { outcome: 'failed', reason: 'no' }),
    'none: no such order',
  ],
  ['a negative amount', report('X', paid('E3', '-1')), /^none: it is refused as malformed/],
  [
    'a query of an unknown order',
    { type: 'query', kind: 'payin', orderNo: 'X' },
    'none: this channel has no such order',
  ],
  ['a test event', { type: 'nothing', detail: 'a test' }, 'none: it is acknowledged'],
])('%s', async (_what, callback, effect) => {
  expect((await examine(callback))?.effect).toMatch(effect);
});

/** How many payments were booked and queries sent so far. */
async function effects(): Promise<number> {
  const { rows } = await fixture.domain.database.pool.query<{ count: string }>('select count(*) from payment');
  return Number(rows[0]?.count) + fixture.channel.calls.length;
}

test('the explanation equals the effect of the callback: for a rerouted order, and for money from other channels', async () => {
  const order = await placePayin(fixture.domain, merchantId, 'TH');
  const { orderNo } = order;
  await fixture.domain.commit({
    type: 'reroute',
    ref: { merchantId, orderNo },
    reason: 'no',
    fromChannelId: 'fake',
    toChannelId: 'second',
    toChannelBankCode: null,
  });
  const query = { type: 'query', kind: 'payin', orderNo };
  const paidHere = report(orderNo, paid('R1'));
  const paidElsewhere = report(orderNo, paid('R2', '7.00'));
  const isAtSecond = 'the money is put aside, with a case: the order is at second';
  for (const [channelId, callback, effect] of [
    ['fake', query, 'the order is queried at once; it is at second now, so what was paid here is put aside'],
    ['third', query, 'none: this channel has no such order'],
    ['fake', report(orderNo, { outcome: 'failed', reason: 'no' }), 'none: the order is at second'],
    ['fake', paidElsewhere, isAtSecond],
    ['fake', paidElsewhere, 'none: the money is booked already'],
    ['second', paidHere, 'the order gets this report, with new payments: R1'],
    ['third', paidHere, 'none: the money is booked already'],
    ['unrelated', paidHere, isAtSecond],
    ['unrelated', paidHere, 'none: the money is booked already'],
  ] as const) {
    const [before, examined] = [await effects(), await examine(callback, channelId)];
    expect([channelId, examined?.effect]).toEqual([channelId, effect]);
    expect(await effects()).toBe(before);
    await takeCallback(fixture.domain, channelId, {}, bytes(callback));
    expect([channelId, effect, (await effects()) > before]).toEqual([channelId, effect, !effect.startsWith('none')]);
  }
});

test('a callback in another currency does not count for the order', async () => {
  const { orderNo } = await placePayin(fixture.domain, merchantId, 'TH');
  expect(await examine(report(orderNo, paid('C1'), 'INR'))).toMatchObject({
    orderStatus: null,
    effect: 'the money is put aside, with a case: no such order',
  });
});

test('a callback of an unknown channel is refused', async () => {
  expect(await examine({}, 'nowhere')).toBeNull();
});
