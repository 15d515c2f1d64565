import { createTestDatabase } from '@tidegate/sandbox/testing';
import { expect, test } from 'vitest';
import type { SpanFacts, Tracer } from '../core/tracer.ts';
import { claimNotification } from '../notifications/deliver-notification.ts';
import { dueWork } from '../orders/due-work.ts';
import { aMerchant, openTestDomain, orderNow } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';

/** Names each span by its call, and keeps what is reported. */
function aTracer(): Tracer & { reported: (SpanFacts & { more: object })[] } {
  const reported: (SpanFacts & { more: object })[] = [];
  const running: string[] = [];
  return {
    reported,
    current: () => running.at(-1) ?? null,
    span: async (facts, work) => {
      const span = { ...facts, more: {} };
      reported.push(span);
      running.push(facts.name);
      try {
        return await work((attributes) => Object.assign(span.more, attributes));
      } finally {
        running.pop();
      }
    },
    past: () => null,
  };
}

test('the rows that a command writes have its trace span: the order, the notification and their jobs', async () => {
  const tracer = aTracer();
  const { domain, woken, close } = await openTestDomain((await createTestDatabase()).url, { tracer });
  const { merchantId } = await aMerchant(domain, 'CN');
  const order = await placePayin(domain, merchantId, 'CN');
  const ref = { merchantId, orderNo: order.orderNo };
  expect(await orderNow(domain, ref)).toMatchObject({ traceparent: 'commit createPayin' });
  expect(woken).toMatchObject([{ queue: 'submit', traceparent: 'commit createPayin' }]);
  expect(await dueWork(domain, 10)).toMatchObject([{ queue: 'submit', traceparent: 'commit createPayin' }]);

  await domain.commit(aReport(ref, paid()));
  expect(await orderNow(domain, ref)).toMatchObject({ status: 'completed', traceparent: 'commit createPayin' });
  expect(woken[1]).toMatchObject({ queue: 'notify', traceparent: 'commit applyReport' });
  expect(await dueWork(domain, 10)).toMatchObject([{ queue: 'notify', traceparent: 'commit applyReport' }]);
  const claimed = await claimNotification(domain, { ...ref, status: 'completed' });
  expect(claimed).toMatchObject({ traceparent: 'commit applyReport' });

  const reported = tracer.reported.filter(({ attributes }) => attributes?.['tidegate.order_no'] === order.orderNo);
  expect(reported.map(({ name, more }) => [name, more])).toEqual([
    ['commit createPayin', { 'tidegate.order_status': 'created' }],
    ['commit applyReport', { 'tidegate.order_status': 'completed' }],
  ]);
  await close();
});

test('without tracing, rows and work have no span', async () => {
  const { domain, woken, close } = await openTestDomain((await createTestDatabase()).url);
  const { merchantId } = await aMerchant(domain, 'CN');
  const order = await placePayin(domain, merchantId, 'CN');
  expect(await orderNow(domain, order)).toMatchObject({ traceparent: null });
  expect(Object.keys(woken[0] ?? {})).toEqual(['queue', 'merchantId', 'orderNo', 'channelId', 'dueAt']);
  expect(Object.keys((await dueWork(domain, 10))[0] ?? {})).toEqual([
    'queue',
    'merchantId',
    'orderNo',
    'channelId',
    'dueAt',
  ]);
  await close();
});
