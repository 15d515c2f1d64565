import { createTestDatabase } from '@tidegate/sandbox/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Order, OrderStatus } from '../core/order.ts';
import { columnsOf } from '../database/columns.ts';
import { OrderRow } from '../database/entities/order.ts';
import { noon } from '../testing/on-paper.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/open-test-domain.ts';
import { pageRequest, walkList } from '../testing/walk-list.ts';
import { anyOrders, aWrittenOrder, deleteOrders, type Shop, writeOrders } from '../testing/written-orders.ts';
import { isOneOf } from './conditions.ts';
import type { Page, PageRequest } from './page.ts';
import { readPage } from './read-page.ts';

// A list whose filter has to be checked for each row may look at a bounded number of them.

let fixture: TestDomain;
const shops: Shop[] = [];
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  for (const country of ['CN', 'IN', 'IN'] as const)
    shops.push({ merchantId: (await aMerchant(fixture.domain, country)).merchantId, country });
});
afterAll(() => fixture.close());
beforeEach(() => deleteOrders(fixture.domain));

interface Asked {
  statuses: readonly OrderStatus[];
  merchants: readonly string[] | null;
  examined: number;
  isReversed?: boolean;
}

function pageOf(
  { statuses, merchants, examined, isReversed = false }: Asked,
  page: PageRequest<'orders'>,
): Promise<Page<Order>> {
  const { orm, reading } = fixture.domain.database;
  const listing = {
    table: 'orders',
    columns: columnsOf(orm, OrderRow),
    merchants,
    isReversed,
    indexConditions: () => [],
    rowConditions: (add: (value: unknown) => string) => [isOneOf('t.status', statuses, add) ?? 'true'],
  };
  return readPage<Order, 'orders'>(reading, listing, page, examined);
}

const numbers = (orders: readonly Order[]): string[] => orders.map(({ orderNo }) => orderNo);
const before = (a: Order, b: Order): number =>
  b.createdAt - a.createdAt || (a.merchantId + a.orderNo < b.merchantId + b.orderNo ? 1 : -1);

test('a search that may read only a few rows per page gives short pages, but all rows together', async () => {
  const all = shops.map(({ merchantId }) => merchantId);
  const manyOrders = fc.array(anyOrders(shops), { minLength: 4, maxLength: 4 }).map((lists) => lists.flat());
  const anything = {
    statuses: fc.subarray<OrderStatus>(['created', 'completed', 'failed'], { minLength: 1 }),
    merchants: fc.option(fc.subarray(all, { minLength: 1 })),
    examined: fc.integer({ min: 1, max: 40 }),
    isReversed: fc.boolean(),
    size: fc.integer({ min: 1, max: 5 }),
  };
  await fc.assert(
    fc.asyncProperty(manyOrders, fc.record(anything), async (orders, filter) => {
      await deleteOrders(fixture.domain);
      await writeOrders(fixture.domain, orders);
      const { statuses, merchants, isReversed, size } = filter;
      const matching = orders.filter(
        ({ status, merchantId }) => statuses.includes(status) && (merchants?.includes(merchantId) ?? true),
      );
      const expected = numbers(matching.toSorted(before));
      for (const backward of [false, true]) {
        const read = await walkList('orders', (page) => pageOf(filter, page), { sizes: [size], backward });
        expect(numbers(read)).toEqual(isReversed ? expected.toReversed() : expected);
      }
    }),
    { numRuns: 60 },
  );
});

test('if the search of one merchant ends early, the page ends there for all merchants, and no row is lost', async () => {
  const [a, b] = shops;
  if (!a || !b) throw new Error('no merchants');
  // Every other one of the newest failed.
  const orders = Array.from({ length: 12 }, (_, i): Order => {
    const status = i < 8 && i % 2 === 0 ? 'failed' : 'completed';
    return aWrittenOrder(i < 8 ? a : b, { orderNo: `PI${100 + i}`, status, createdAt: noon - i });
  });
  await writeOrders(fixture.domain, orders);
  const filter: Asked = { merchants: [a.merchantId, b.merchantId], statuses: ['completed'], examined: 4 };
  const first = await pageOf(filter, pageRequest('orders', { first: 5 }));
  expect(numbers(first.rows)).toEqual(['PI101']);
  expect(first).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  const expected = numbers(orders.filter(({ status }) => status === 'completed'));
  for (const backward of [false, true])
    expect(numbers(await walkList('orders', (page) => pageOf(filter, page), { sizes: [5], backward }))).toEqual(
      expected,
    );
});

test('a page that one merchant fills does not skip rows of a merchant whose search ended before its first match', async () => {
  const [a, b] = shops;
  if (!a || !b) throw new Error('no merchants');
  // The first five are of one merchant, and only the last of these matches. The others are of the other one, and all match.
  const orders = Array.from({ length: 10 }, (_, i): Order => {
    const status = i < 4 ? 'failed' : 'completed';
    return aWrittenOrder(i < 5 ? a : b, { orderNo: `PI${100 + i}`, status, createdAt: noon - i });
  });
  await writeOrders(fixture.domain, orders);
  const filter: Asked = { merchants: [a.merchantId, b.merchantId], statuses: ['completed'], examined: 8 };
  const read = await walkList('orders', (page) => pageOf(filter, page), { sizes: [3] });
  expect(numbers(read)).toEqual(['PI104', 'PI105', 'PI106', 'PI107', 'PI108', 'PI109']);
});
