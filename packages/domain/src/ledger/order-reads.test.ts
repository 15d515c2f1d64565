import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reading } from '../database/reading.ts';
import { aMerchant, openTestDomain, placePayin, type TestDomain } from '../testing/index.ts';
import { openOrderReads } from './order-reads.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

/** Reads, and how many keys each statement had. */
function counted() {
  const { sql, database } = fixture.domain;
  const statements: string[] = [];
  const query: Reading['query'] = (statement, values) => {
    statements.push(typeof statement === 'string' ? statement : (statement.name ?? ''));
    return database.reading.query(statement, values);
  };
  return { statements, reads: openOrderReads({ ...database.reading, query }, sql) };
}

test('concurrent reads of orders share a statement, and each gets its own order', async () => {
  const { domain } = fixture;
  const merchants = [await aMerchant(domain, 'CN'), await aMerchant(domain, 'CN')].map(({ merchantId }) => merchantId);
  const [mine = '', others = ''] = merchants;
  const placed = [];
  for (const merchantId of [mine, others, mine]) placed.push(await placePayin(domain, merchantId, 'CN'));
  const { statements, reads } = counted();
  const asked = placed.flatMap((order) => [
    reads.byNo(order.merchantId, order.orderNo),
    reads.byMerchantOrderNo(order.merchantId, order.merchantOrderNo),
  ]);
  const notMine = [reads.byNo(others, placed[0]?.orderNo ?? ''), reads.byMerchantOrderNo(mine, 'never used')];
  const found = (await Promise.all(asked)).map((order) => order?.orderNo);
  expect(found).toEqual(placed.flatMap(({ orderNo }) => [orderNo, orderNo]));
  expect(await Promise.all(notMine)).toEqual([null, null]);
  expect(statements.toSorted()).toEqual(['orders-by-key', 'orders-by-merchant-order-no']);
});

test('a single order is read by a prepared statement that is planned once', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'CN');
  const order = await placePayin(domain, merchantId, 'CN');
  const { statements, reads } = counted();
  expect(await reads.byNo(merchantId, order.orderNo)).toMatchObject({ orderNo: order.orderNo, amount: '100.00' });
  expect(await reads.byMerchantOrderNo(merchantId, order.merchantOrderNo)).toMatchObject({ orderNo: order.orderNo });
  expect(statements).toEqual(['order-by-no', 'order-by-merchant-order-no']);
});
