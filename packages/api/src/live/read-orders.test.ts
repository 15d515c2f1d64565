import { aMerchant, placePayin } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiFixture, openApiFixture } from '../../test/api-fixture.ts';
import { openOrderReader } from './read-orders.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

test('concurrent reads of many streams share one statement, and later reads use another', async () => {
  const { merchantId } = await aMerchant(api.domain, 'CN');
  const orders = await Promise.all(Array.from({ length: 100 }, () => placePayin(api.domain, merchantId, 'CN')));
  const query = vi.spyOn(api.domain.database.pool, 'query');
  const readOrders = openOrderReader(api.domain);
  const read = await Promise.all(['ann', 'bob', 'eve'].map(() => readOrders(orders)));
  for (const rows of read) expect(rows.map((row) => row?.orderNo)).toEqual(orders.map(({ orderNo }) => orderNo));
  expect(query).toHaveBeenCalledTimes(1);
  await api.domain.database.pool.query(`update orders set channel_ref = 'changed' where merchant_id = $1`, [
    merchantId,
  ]);
  const again = await readOrders(orders.slice(0, 1));
  expect(again[0]?.channelRef).toBe('changed');
});

test('an order that does not exist has no message', async () => {
  expect(await openOrderReader(api.domain)([{ merchantId: 'NOBODY', orderNo: 'PI1' }])).toEqual([null]);
});
