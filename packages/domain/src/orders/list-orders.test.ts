import { createTestDatabase } from '@tidegate/sandbox/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Money } from '../core/money.ts';
import type { Order } from '../core/order.ts';
import { type Scope, unrestricted } from '../lists/scope.ts';
import { noon } from '../testing/on-paper.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/open-test-domain.ts';
import { pageRequest, type WalkOptions, walkList } from '../testing/walk-list.ts';
import { anyOrders, deleteOrders, type Shop, writeOrders } from '../testing/written-orders.ts';
import { type OrderFilter, orderFilter, pageOrders } from './list-orders.ts';

let fixture: TestDomain;
const shops: Shop[] = [];
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  for (const country of ['CN', 'TH', 'IN', 'IN', 'PK'] as const)
    shops.push({ merchantId: (await aMerchant(fixture.domain, country)).merchantId, country });
});
afterAll(() => fixture.close());
beforeEach(() => deleteOrders(fixture.domain));

const runs = { numRuns: 25 };
const shopsOrders = (): fc.Arbitrary<Order[]> => anyOrders(shops);
const numbers = (orders: readonly Order[]): string[] => orders.map(({ orderNo }) => orderNo);

/** The list's order, as text of the database's collation compares. */
function inOrder(orders: readonly Order[]): Order[] {
  const key = (order: Order) => [order.createdAt, order.merchantId, order.orderNo] as const;
  return orders.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)];
    const at = x.findIndex((part, i) => part !== y[i]);
    return at < 0 ? 0 : (x[at] as string | number) < (y[at] as string | number) ? 1 : -1;
  });
}

function walk(
  scope: Scope,
  filter: OrderFilter,
  options: WalkOptions & Parameters<typeof pageOrders>[4] = {},
): Promise<Order[]> {
  return walkList('orders', (page) => pageOrders(fixture.domain, scope, filter, page, options), options);
}

async function withOrders(orders: readonly Order[], look: () => Promise<void>): Promise<void> {
  await deleteOrders(fixture.domain);
  await writeOrders(fixture.domain, orders);
  await look();
}

const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });

test('the pages together have all orders, the newest first, none twice and none missing, for any page sizes', async () => {
  await fc.assert(
    fc.asyncProperty(shopsOrders(), sizes, (orders, by) =>
      withOrders(orders, async () => {
        expect(await walk(unrestricted, {}, { sizes: by })).toEqual(inOrder(orders));
        expect(numbers(await walk(unrestricted, {}, { sizes: by, backward: true }))).toEqual(numbers(inOrder(orders)));
        const oldestFirst = await walk(unrestricted, {}, { sizes: by, isReversed: true });
        expect(numbers(oldestFirst)).toEqual(numbers(inOrder(orders)).reverse());
      }),
    ),
    runs,
  );
});

test('writes between two pages do not move rows: each existing order is seen once', async () => {
  await fc.assert(
    fc.asyncProperty(
      shopsOrders(),
      fc.array(shopsOrders(), { maxLength: 3 }),
      sizes,
      fc.boolean(),
      (orders, later, by, backward) =>
        withOrders(orders, async () => {
          const meanwhile = async (turn: number): Promise<void> => writeOrders(fixture.domain, later[turn - 1] ?? []);
          const seen = await walk(unrestricted, {}, { sizes: by, backward, meanwhile });
          const there = new Set(numbers(orders));
          expect(numbers(seen.filter(({ orderNo }) => there.has(orderNo)))).toEqual(numbers(inOrder(orders)));
          expect(numbers(seen)).toEqual(numbers(inOrder(seen)));
          expect(new Set(numbers(seen)).size).toBe(seen.length);
        }),
    ),
    runs,
  );
});

test('a page between two cursors has exactly the rows between them', async () => {
  await fc.assert(
    fc.asyncProperty(anyOrders(shops), fc.nat(60), fc.nat(60), (orders, i, j) =>
      withOrders(orders, async () => {
        const page = await pageOrders(fixture.domain, unrestricted, {}, pageRequest('orders', { first: 100 }));
        const [after = null, before = null] = [page.cursors[i], page.cursors[j]];
        const expected = numbers(page.rows).slice(after === null ? 0 : i + 1, before === null ? undefined : j);
        for (const size of [{ first: 100 }, { last: 100 }]) {
          const between = await pageOrders(
            fixture.domain,
            unrestricted,
            {},
            pageRequest('orders', { ...size, after, before }),
          );
          expect(numbers(between.rows)).toEqual(expected);
        }
      }),
    ),
    runs,
  );
});

const amountText = fc
  .integer({ min: 900, max: 5_100 })
  .map((cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`);
const some = <T>(...values: T[]): fc.Arbitrary<T[] | undefined> =>
  fc.option(fc.subarray(values, { minLength: 1 }), { nil: undefined });

/** Filters that leave something of most. */
function anyFilter(): fc.Arbitrary<OrderFilter> {
  return fc.record(
    {
      merchantIds: some(...shops.map(({ merchantId }) => merchantId)),
      kind: fc.constantFrom('payin', 'payout'),
      statuses: some('created', 'processing', 'completed', 'failed', 'cancelled'),
      countries: some('CN', 'TH', 'IN', 'PK'),
      channelIds: some('fake', 'other'),
      amountFrom: amountText,
      amountTo: amountText,
      createdFrom: fc.integer({ min: noon - 1, max: noon + 41 }),
      createdTo: fc.integer({ min: noon - 1, max: noon + 41 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<OrderFilter>;
}

function anyScope(): fc.Arbitrary<Scope> {
  return fc.record({
    countries: some('CN', 'TH', 'IN', 'PK').map((countries) => (countries as Scope['countries']) ?? null),
    merchantIds: some(...shops.map(({ merchantId }) => merchantId)).map((ids) => ids ?? null),
  });
}

/** What the filter means, said plainly. */
function matches(order: Order, filter: OrderFilter, scope: Scope): boolean {
  const money = (text: string): Money => Money.of(text, order.currency);
  const among = <T>(values: readonly T[] | null | undefined, value: T): boolean =>
    values == null || values.includes(value);
  return [
    among(filter.merchantIds, order.merchantId) && among(scope.merchantIds, order.merchantId),
    among(filter.countries, order.country) && among(scope.countries, order.country),
    among(filter.statuses, order.status) && among(filter.channelIds, order.channelId),
    filter.kind == null || filter.kind === order.kind,
    filter.amountFrom == null || money(order.amount).compare(money(filter.amountFrom)) >= 0,
    filter.amountTo == null || money(order.amount).compare(money(filter.amountTo)) <= 0,
    filter.createdFrom == null || order.createdAt >= filter.createdFrom,
    filter.createdTo == null || order.createdAt < filter.createdTo,
  ].every(Boolean);
}

test('a filter and a scope return exactly the matching rows, page by page', async () => {
  await fc.assert(
    fc.asyncProperty(shopsOrders(), anyFilter(), anyScope(), sizes, (orders, filter, scope, by) =>
      withOrders(orders, async () => {
        const expected = numbers(inOrder(orders.filter((order) => matches(order, filter, scope))));
        expect(numbers(await walk(scope, filter, { sizes: by }))).toEqual(expected);
        expect(numbers(await walk(scope, filter, { sizes: by, backward: true }))).toEqual(expected);
      }),
    ),
    { numRuns: 60 },
  );
});

test('an order is found by either of its numbers, within the scope only', async () => {
  const orders = fc.sample(shopsOrders(), 20).flat();
  await writeOrders(fixture.domain, orders);
  const order = orders[5];
  if (!order) throw new Error('no orders');
  const { merchantId, orderNo, merchantOrderNo } = order;
  const found = async (scope: Scope, filter: OrderFilter): Promise<string[]> =>
    numbers((await pageOrders(fixture.domain, scope, filter, pageRequest('orders'))).rows);
  const otherScope: Scope = { countries: null, merchantIds: ['NOBODY'] };
  for (const filter of [{ orderNo }, { merchantOrderNo }, { orderNo, merchantIds: [merchantId] }]) {
    expect(await found(unrestricted, filter)).toEqual([orderNo]);
    expect(await found(otherScope, filter)).toEqual([]);
    expect(await found(unrestricted, { ...filter, statuses: ['timeout'] })).toEqual([]);
  }
  expect(await found(unrestricted, { orderNo: 'PI0' })).toEqual([]);
});

test('a filter is checked against its limits', () => {
  const merchantIds = Array.from({ length: 101 }, (_, i) => `M-${i}`);
  const time = 253_402_300_800_000;
  const wrong = [
    { merchantIds },
    { merchantIds: [] },
    { amountFrom: '1e3' },
    { amountTo: '-1' },
    { createdFrom: time },
    { orderNo: 'X' },
    { other: 1 },
  ];
  for (const filter of wrong) expect([filter, orderFilter.safeParse(filter).success]).toEqual([filter, false]);
  expect(orderFilter.safeParse({ merchantIds: ['CN-1'], amountFrom: '0.01', statuses: null }).success).toBe(true);
});
