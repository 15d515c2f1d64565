import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '../../core/order.ts';
import { unrestricted } from '../../lists/scope.ts';
import { noon } from '../../testing/on-paper.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/open-test-domain.ts';
import { type Searchable, writeSearchables } from '../../testing/searchable-orders.ts';
import { pageRequest } from '../../testing/walk-list.ts';
import { aWrittenOrder, type Shop } from '../../testing/written-orders.ts';
import { pageOrders } from '../list-orders.ts';
import { type OrderFilter, type OrderSort, orderLists } from './order-filter.ts';

// Many orders match a filter, but none of those that come first in the list. The first page is full all the same.

/** Much fewer than in the service, so that a few hundred orders are too many for them. */
const limits = { maxCandidates: 100, maxExamined: 20 };
const matching = 300;
/** On each side of the matching ones, in each list. A page looks at 20 orders, or at 200 rows of `order_search`. */
const others = 300;
const size = 10;

let fixture: TestDomain;
let shop: Shop;
const orders: Searchable[] = [];
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  shop = { merchantId: (await aMerchant(fixture.domain, 'IN')).merchantId, country: 'IN' };
  const other: Shop = { merchantId: (await aMerchant(fixture.domain, 'PK')).merchantId, country: 'PK' };
  for (let n = 0; n < others * 2 + matching; n += 1)
    orders.push(n >= others && n < others + matching ? aMatch(n) : anOther(other, n));
  await writeSearchables(fixture.domain, orders);
});
afterAll(() => fixture.close());

const moment = 1_000;
const amountOf = (n: number): string => `${100 + n}.00`;
const place = (n: number) => ({ createdAt: noon + n * moment, amount: amountOf(n) });

/** One is completed, the next one failed. */
function aMatch(n: number): Searchable {
  const common = { ...place(n), kind: 'payin', channelId: 'other', bankCode: 'HBL' } as const;
  const party = { account: '50100234567890', mobile: '+919812345678', name: 'Asha Rao' };
  const ended: Partial<Order> =
    n % 2 === 0
      ? { status: 'completed', completedAt: noon + n * moment + 1 }
      : { status: 'failed', failureReason: 'payment failed' };
  const order = aWrittenOrder(shop, { ...common, ...ended, merchantOrderNo: `SHOP-${n}`, details: { party } });
  return { order, reference: null, notification: 'exhausted' };
}

/** One is completed, the next one was cancelled. */
function anOther(of: Shop, n: number): Searchable {
  const ended: Partial<Order> =
    n % 2 === 0 ? { status: 'completed', completedAt: noon + n * moment + 1 } : { status: 'cancelled' };
  const party = { account: '9', mobile: '+923001234567', name: 'Ali Khan' };
  const order = aWrittenOrder(of, {
    ...place(n),
    ...ended,
    kind: 'payout',
    channelId: 'fake',
    merchantOrderNo: `X-${n}`,
    details: { party },
  });
  return { order, reference: null, notification: n % 2 === 0 ? 'delivered' : null };
}

const sorts: readonly OrderSort[] = ['created', 'amount', 'completed'];

async function firstPage(filter: OrderFilter, sort: OrderSort, isReversed: boolean) {
  const page = pageRequest(orderLists[sort], { first: size });
  return pageOrders(fixture.domain, unrestricted, filter, page, { ...limits, isReversed, maySeePersonal: true });
}

/** The first of the matching orders in this list. */
function expected(sort: OrderSort, isReversed: boolean, isIn: (order: Order) => boolean = () => true): string[] {
  const found = orders
    .map(({ order }) => order)
    .filter((order) => order.merchantId === shop.merchantId && isIn(order))
    .filter(({ completedAt }) => sort !== 'completed' || completedAt !== null);
  return (isReversed ? found : found.toReversed()).slice(0, size).map(({ orderNo }) => orderNo);
}

const first = noon + others * moment;
const end = noon + (others + matching) * moment;
const filters: readonly (readonly [OrderFilter, isIn?: (order: Order) => boolean])[] = [
  [{ kind: 'payin' }],
  [{ statuses: ['failed'] }, ({ status }) => status === 'failed'],
  [{ countries: ['IN'] }],
  [{ currencies: ['INR'] }],
  [{ channelIds: ['other'] }],
  [{ bankCodes: ['HBL'] }],
  [{ failureReasons: ['payment failed'] }, ({ status }) => status === 'failed'],
  [{ createdFrom: first, createdTo: end }],
  [{ completedFrom: first, completedTo: end }, ({ completedAt }) => completedAt !== null],
  [{ amountFrom: amountOf(others), amountTo: amountOf(others + matching - 1) }],
];

test.for(filters)('a page of orders by %o is full, whatever its order', async ([filter, isIn]) => {
  for (const merchantIds of [null, [shop.merchantId]])
    for (const sort of sorts)
      for (const isReversed of [false, true]) {
        if (filter.statuses?.includes('failed') || filter.failureReasons) if (sort === 'completed') continue;
        const page = await firstPage({ ...filter, merchantIds }, sort, isReversed);
        const found = { sort, isReversed, until: page.searchedUntil, orders: page.rows.map(({ orderNo }) => orderNo) };
        expect(found).toEqual({ sort, isReversed, until: null, orders: expected(sort, isReversed, isIn) });
      }
});

/** The first rows of a search, and the number of short pages until they are full or the list ends. */
async function firstRows(filter: OrderFilter, sort: OrderSort, isReversed: boolean) {
  const rows: string[] = [];
  let after: string | null = null;
  for (let shortPages = 0; ; shortPages += 1) {
    const page = pageRequest(orderLists[sort], { first: size - rows.length, after });
    const options = { ...limits, isReversed, maySeePersonal: true };
    const found = await pageOrders(fixture.domain, unrestricted, filter, page, options);
    rows.push(...found.rows.map(({ orderNo }) => orderNo));
    if (rows.length === size || found.searchedUntil === null) return { rows, shortPages };
    after = found.endCursor;
  }
}

test.for<OrderFilter>([
  { partyName: 'asha' },
  { partyName: 'RAO' },
  { merchantOrderNoStartsWith: 'SHOP-' },
  { orderNoStartsWith: 'PI' },
  { account: '50100234567890' },
  { phone: '09812345678' },
  { search: 'asha r' },
  { search: 'SHOP' },
  { search: 'PI' },
  { search: '50100234567890' },
])('orders with the text %o are found behind others by short pages, each of 200 short rows', async (filter) => {
  for (const created of [{}, { createdFrom: first, createdTo: end }])
    for (const isReversed of [false, true]) {
      const { rows, shortPages } = await firstRows({ ...filter, ...created }, 'created', isReversed);
      expect(rows).toEqual(expected('created', isReversed));
      expect(shortPages).toBe(created.createdFrom === undefined ? Math.floor(others / 200) : 0);
    }
  const page = await firstPage(filter, 'created', false);
  expect(await page.total()).toEqual({ count: matching, isExact: true });
});

test.for(sorts)('orders whose merchants were not reached are found behind others, by %s', async (sort) => {
  for (const isReversed of [false, true]) {
    const { rows, shortPages } = await firstRows({ notificationStates: ['exhausted'] }, sort, isReversed);
    expect(rows).toEqual(expected(sort, isReversed));
    expect(shortPages).toBeLessThanOrEqual((2 * others) / limits.maxExamined);
  }
});
