import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aMerchant, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { examineCallback } from './examine-callback.ts';

let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  merchantId = (await aMerchant(fixture.domain, 'TH')).merchantId;
});
afterAll(() => fixture.close());

const examine = (callback: object, channelId = 'fake') =>
  examineCallback(fixture.domain, channelId, {}, Buffer.from(JSON.stringify(callback)));
const report = (orderNo: string, answer: object, currency = 'THB') => ({ kind: 'payin', orderNo, currency, answer });

test('a report names the payments that would be booked, and those that are booked already are not among them', async () => {
  const order = await placePayin(fixture.domain, merchantId, 'TH');
  const { orderNo } = order;
  expect(await examine(report(orderNo, paid('E1')))).toMatchObject({
    ...{ result: 'report', orderNo, meaning: 'paid 100.00 (E1)' },
    effect: 'the order gets this report, with new payments: E1',
  });
  expect((await orderNow(fixture.domain, order)).status).toBe(order.status);
  await fixture.domain.commit(aReport(order, paid('E1')));
  expect(await examine(report(orderNo, paid('E1')))).toMatchObject({
    ...{ orderStatus: 'completed', effect: 'the order gets this report' },
  });
});

test.each([
  [
    'money for an unknown order',
    report('PI-NOT-OURS', paid('E2')),
    'the money is put aside, with a case: no such order',
  ],
  ['no money for an unknown order', report('PI-NOT-OURS', { outcome: 'failed', reason: 'no' }), 'none: no such order'],
  ['an amount that is none', report('X', paid('E3', '-1')), /^none: it is refused as malformed/],
  [
    'a query of an unknown order',
    { type: 'query', kind: 'payin', orderNo: 'X' },
    'none: this channel has no such order',
  ],
  ['a test event', { type: 'nothing', detail: 'a test' }, 'none: it is acknowledged'],
])('%s', async (_what, callback, effect) => {
  expect((await examine(callback))?.effect).toMatch(effect);
});

test('an unknown channel', async () => {
  expect(await examine({}, 'nowhere')).toBeNull();
});
