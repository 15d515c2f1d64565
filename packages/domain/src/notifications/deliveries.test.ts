import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isUnavailable } from '../database/connection-loss.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aNotification, factsOf } from '../testing/notifications.ts';
import type { NotificationRef } from './deliver-notification.ts';
import type { AttemptRecord } from './deliveries.ts';

let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  merchantId = (await aMerchant(fixture.domain, 'CN')).merchantId;
});
afterAll(() => fixture.close());

const line = () => ({ host: 'shop.test:443', merchantId, firstOnly: true });
const delivered = (ref: NotificationRef): AttemptRecord => ({
  ...ref,
  attempt: 1,
  startedAt: 1_700_000_000_000,
  durationMs: 5,
  address: null,
  httpStatus: 200,
  reply: 'OK',
  error: null,
  state: 'delivered',
  wait: null,
});
const parkedOne = async (): Promise<NotificationRef> => {
  const ref = await aNotification(fixture.domain, merchantId);
  expect(await fixture.domain.deliveries.wait(ref)).toBe(true);
  return ref;
};
/** The transaction that wrote the row last. */
const writerOf = async ({ orderNo }: NotificationRef): Promise<string> => {
  const { rows } = await fixture.domain.database.pool.query(
    'select xmin::text from notification where merchant_id = $1 and order_no = $2',
    [merchantId, orderNo],
  );
  return rows[0].xmin;
};

test('the result of an attempt and the claim of the next notification are written in one transaction', async () => {
  const { deliveries } = fixture.domain;
  const first = await aNotification(fixture.domain, merchantId);
  const second = await parkedOne();
  expect(await deliveries.claim({ ...first, firstOnly: false })).toMatchObject({ attempt: 1 });
  const [, next] = await Promise.all([deliveries.record(delivered(first)), deliveries.claimNext(line())]);
  expect(next).toMatchObject({ orderNo: second.orderNo, attempt: 1 });
  expect(await writerOf(first)).toBe(await writerOf(second));
});

test('a result that the database refuses affects neither other results nor claims of the same statement', async () => {
  const { deliveries } = fixture.domain;
  const [good, bad] = [
    await aNotification(fixture.domain, merchantId),
    await aNotification(fixture.domain, merchantId),
  ];
  const waits = await parkedOne();
  for (const ref of [good, bad]) await deliveries.claim({ ...ref, firstOnly: false });
  const outcomes = await Promise.allSettled([
    deliveries.record(delivered(good)),
    deliveries.record({ ...delivered(bad), state: 'nonsense' as 'delivered' }),
    deliveries.claimNext(line()),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await factsOf(fixture.domain, good)).toMatchObject({ state: 'delivered', attempts: 1 });
  expect(await factsOf(fixture.domain, bad)).toMatchObject({ state: 'pending', attempts: 0 });
  expect(await factsOf(fixture.domain, waits)).toMatchObject({ attempt: 1 });
});

test('concurrent claims of one backlog get different notifications, and none if there are too few', async () => {
  const refs = [await parkedOne(), await parkedOne()];
  const claims = await Promise.all(Array.from({ length: 3 }, () => fixture.domain.deliveries.claimNext(line())));
  expect(claims.map((claim) => claim?.orderNo ?? null)).toEqual([...refs.map(({ orderNo }) => orderNo), null]);
});

test('a locked notification row does not delay other results, and its own result is written once the row is unlocked', async () => {
  const { deliveries, database } = fixture.domain;
  const [held, other] = [
    await aNotification(fixture.domain, merchantId),
    await aNotification(fixture.domain, merchantId),
  ];
  for (const ref of [held, other]) await deliveries.claim({ ...ref, firstOnly: false });
  const hold = async () => {
    const session = await database.pool.connect();
    await session.query('begin');
    await session.query('select from notification where merchant_id = $1 and order_no = $2 for update', [
      merchantId,
      held.orderNo,
    ]);
    return async () => {
      await session.query('rollback');
      session.release();
    };
  };
  const release = await hold();
  const waiting = deliveries.record(delivered(held));
  const began = performance.now();
  await deliveries.record(delivered(other));
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(await factsOf(fixture.domain, held)).toMatchObject({ state: 'pending', attempts: 0 });
  await release();
  await waiting;
  expect(await factsOf(fixture.domain, held)).toMatchObject({ state: 'delivered', attempts: 1 });
});

test('writing a result gives up after a limited time, and can be tried again', async () => {
  const { deliveries, database } = fixture.domain;
  const held = await aNotification(fixture.domain, merchantId);
  await deliveries.claim({ ...held, firstOnly: false });
  const session = await database.pool.connect();
  await session.query('begin');
  await session.query('select from notification where merchant_id = $1 and order_no = $2 for update', [
    merchantId,
    held.orderNo,
  ]);
  const began = performance.now();
  await expect(deliveries.record(delivered(held))).rejects.toSatisfy(isUnavailable);
  expect(performance.now() - began).toBeLessThan(4_000);
  await session.query('rollback');
  session.release();
});
