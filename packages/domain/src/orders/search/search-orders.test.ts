import { createTestDatabase } from '@tidegate/sandbox/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '../../core/order.ts';
import { plainAccount, plainName, plainPhone } from '../../core/search-text.ts';
import { currencyOf, dialCodes } from '../../countries/index.ts';
import { type Scope, unrestricted } from '../../lists/scope.ts';
import { noon } from '../../testing/on-paper.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/open-test-domain.ts';
import * as made from '../../testing/searchable-orders.ts';
import { pageRequest, type WalkOptions, walkList } from '../../testing/walk-list.ts';
import type { Shop } from '../../testing/written-orders.ts';
import { pageOrders, SearchTooWide } from '../list-orders.ts';
import { type OrderFilter, type OrderSort, orderLists } from './order-filter.ts';

let fixture: TestDomain;
const shops: Shop[] = [];
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  for (const country of ['TH', 'IN', 'PK', 'PK'] as const)
    shops.push({ merchantId: (await aMerchant(fixture.domain, country)).merchantId, country });
});
afterAll(() => fixture.close());

interface Sorting {
  sort: OrderSort;
  isReversed: boolean;
}

const newest: Sorting = { sort: 'created', isReversed: false };

function walk(scope: Scope, filter: OrderFilter, { sort, isReversed }: Sorting, options: WalkOptions = {}) {
  const list = orderLists[sort];
  return walkList(
    list,
    (page) => pageOrders(fixture.domain, scope, filter, page, { isReversed, maySeePersonal: true }),
    options,
  );
}

const numbers = (orders: readonly Order[]): string[] => orders.map(({ orderNo }) => orderNo);

/** The sort, said plainly. */
function sorted(orders: readonly Order[], { sort, isReversed }: Sorting): Order[] {
  const keys: Record<OrderSort, (order: Order) => (string | number)[]> = {
    created: (o) => [o.createdAt, o.merchantId, o.orderNo],
    completed: (o) => [o.completedAt ?? 0, o.merchantId, o.orderNo],
    amount: (o) => [Number(o.amount), o.createdAt, o.merchantId, o.orderNo],
  };
  const compare = (a: Order, b: Order): number => {
    const [x, y] = [keys[sort](a), keys[sort](b)];
    const at = x.findIndex((part, i) => part !== y[i]);
    return at < 0 ? 0 : (x[at] ?? 0) < (y[at] ?? 0) ? 1 : -1;
  };
  const listed = orders.filter(({ completedAt }) => sort !== 'completed' || completedAt !== null).toSorted(compare);
  return isReversed ? listed.reverse() : listed;
}

const among = <T>(values: readonly T[] | null | undefined, value: T): boolean =>
  values == null || values.includes(value);
const within = (value: number | null, from: number | null | undefined, to: number | null | undefined): boolean =>
  (from == null || (value !== null && value >= from)) && (to == null || (value !== null && value < to));

/** The filter, said plainly. */
function matches({ order, reference, notification }: made.Searchable, filter: OrderFilter, scope: Scope): boolean {
  const party = order.details.party ?? {};
  const is = <T>(wanted: T | null | undefined, value: () => unknown): boolean => wanted == null || value() === wanted;
  const name = plainName(party.name ?? '') ?? '';
  const begins = [name, name.split(' ').at(-1) ?? ''];
  const byName = (wanted: string | null | undefined): boolean =>
    wanted == null || begins.some((text) => text.startsWith(plainName(wanted) ?? '?'));
  return [
    among(filter.merchantIds, order.merchantId) && among(scope.merchantIds, order.merchantId),
    among(filter.countries, order.country) && among(scope.countries, order.country),
    among(filter.currencies, currencyOf[order.country]) && among(filter.statuses, order.status),
    among(filter.channelIds, order.channelId) && is(filter.kind, () => order.kind),
    filter.bankCodes == null || filter.bankCodes.includes(order.bankCode ?? ''),
    filter.failureReasons == null || filter.failureReasons.includes(order.failureReason ?? ''),
    filter.amountFrom == null || Number(order.amount) >= Number(filter.amountFrom),
    filter.amountTo == null || Number(order.amount) <= Number(filter.amountTo),
    within(order.createdAt, filter.createdFrom, filter.createdTo),
    within(order.completedAt, filter.completedFrom, filter.completedTo),
    filter.notificationStates == null || (notification !== null && filter.notificationStates.includes(notification)),
    is(filter.channelRef, () => order.channelRef) && is(filter.bankReference, () => reference),
    filter.account == null || plainAccount(filter.account) === plainAccount(party.account ?? ''),
    filter.phone == null || plainPhone(filter.phone, dialCodes) === plainPhone(party.mobile ?? '', dialCodes),
    byName(filter.partyName),
    order.orderNo.startsWith(filter.orderNoStartsWith ?? ''),
    order.merchantOrderNo.startsWith(filter.merchantOrderNoStartsWith ?? ''),
  ].every(Boolean);
}

const some = <T>(...values: T[]): fc.Arbitrary<T[]> => fc.subarray(values, { minLength: 1 });
const time = fc.integer({ min: noon - 1, max: noon + 60 });
const amountText = fc.integer({ min: 900, max: 5_100 }).map((cents) => (cents / 100).toFixed(2));

/** Each part of a filter, with values that find something and values that find nothing. */
const parts = (): { [Part in keyof OrderFilter]: fc.Arbitrary<unknown> } => ({
  merchantIds: some(...shops.map(({ merchantId }) => merchantId), 'NOBODY'),
  kind: fc.constantFrom('payin', 'payout'),
  statuses: some('created', 'processing', 'completed', 'failed', 'timeout'),
  countries: some('CN', 'TH', 'IN', 'PK'),
  currencies: some('CNY', 'THB', 'PKR'),
  channelIds: some('fake', 'other', 'none'),
  bankCodes: some(...made.bankCodes, 'NONE'),
  failureReasons: some(...made.failureReasons),
  amountFrom: amountText,
  amountTo: amountText,
  createdFrom: time,
  createdTo: time,
  completedFrom: time,
  completedTo: time,
  notificationStates: some('pending', 'delivered', 'exhausted'),
  channelRef: fc.constantFrom('ref-1', 'ref-2', 'ref-3'),
  bankReference: fc.constantFrom('UTR-1', 'UTR2', 'UTR9'),
  account: fc.constantFrom('5010 0234 567890', 'pk36-scbl-0000', '999'),
  phone: fc.constantFrom('09812345678', '+92 300 1234567', '12345'),
  partyName: fc.constantFrom('asha', 'ALI', 'khan', 'ใจดี', 'nobody'),
  orderNoStartsWith: fc.constantFrom('PI0', 'PO', 'PX'.replace('X', 'IZ')),
  merchantOrderNoStartsWith: fc.constantFrom('M-0', 'M-Z', 'M-1'),
});

/** Filters of one to four parts. */
function anyFilter(): fc.Arbitrary<OrderFilter> {
  const all = parts();
  return fc
    .subarray(Object.keys(all) as (keyof OrderFilter)[], { minLength: 1, maxLength: 4 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, all[name] ?? fc.constant(null)]))),
    ) as fc.Arbitrary<OrderFilter>;
}

function anyScope(): fc.Arbitrary<Scope> {
  const [first, second] = shops;
  return fc.constantFrom<Scope>(
    unrestricted,
    { countries: ['PK', 'TH'], merchantIds: null },
    { countries: null, merchantIds: [first?.merchantId ?? '', second?.merchantId ?? ''] },
    { countries: ['TH'], merchantIds: [first?.merchantId ?? '', second?.merchantId ?? ''] },
  );
}

/** With few candidates other plans are chosen than with many. */
const anyLimit = fc.constantFrom(0, 5, 10_000);
const anyBudget = fc.constantFrom(1, 7, 40, 1_000);
const anyMerchants = fc.constantFrom(0, 20);
const anyGroups = fc.constantFrom(3, 5_000);

const anySorting = fc.record({
  sort: fc.constantFrom<OrderSort>('created', 'completed', 'amount'),
  isReversed: fc.boolean(),
});

test('for any filter, scope and sort the pages have each matching order once, in order, and a short page says where it stopped', async () => {
  await fc.assert(
    fc.asyncProperty(made.anySearchables(shops), async (searchables) => {
      await made.writeSearchables(fixture.domain, searchables);
      const asks = fc.sample(
        fc.tuple(anyFilter(), anyScope(), anySorting, fc.boolean(), anyLimit, anyBudget, anyMerchants, anyGroups),
        10,
      );
      for (const [filter, scope, sorting, backward, ...limits] of asks) {
        const [maxCandidates, maxExamined, maxMerchants, maxGroups] = limits;
        const matching = searchables.filter((one) => matches(one, filter, scope)).map(({ order }) => order);
        const expected = numbers(sorted(matching, sorting));
        const pages: { size: number; isCut: boolean }[] = [];
        const list = orderLists[sorting.sort];
        const read = await walkList(
          list,
          async (page) => {
            const found = await pageOrders(fixture.domain, scope, filter, page, {
              ...sorting,
              maxCandidates,
              maxExamined,
              maxMerchants,
              maxGroups,
            });
            pages.push({ size: found.rows.length, isCut: found.searchedUntil !== null });
            // Too many groups are not counted.
            const total = await found.total();
            if (total.isExact || maxGroups === 5_000) expect(total).toEqual({ count: expected.length, isExact: true });
            else expect(total.count).toBeLessThanOrEqual(expected.length);
            return found;
          },
          { sizes: [9], backward },
        );
        expect({ filter, scope, sorting, found: numbers(read) }).toEqual({ filter, scope, sorting, found: expected });
        expect(pages.slice(0, -1).every(({ size, isCut }) => isCut || size === 9)).toBe(true);
        expect(pages.at(-1)?.isCut).toBe(false);
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
});

test('a free text is searched in all possible fields; accounts, phones and names only for operators who may see them', async () => {
  const searchables = fc.sample(made.anySearchables(shops), 50).find((orders) => orders.length > 30);
  if (!searchables) throw new Error('no orders');
  await made.writeSearchables(fixture.domain, searchables);
  const found = async (search: string, maySeePersonal: boolean) => {
    const page = pageRequest('orders', { first: 100 });
    return numbers((await pageOrders(fixture.domain, unrestricted, { search }, page, { maySeePersonal })).rows);
  };
  const [first] = searchables;
  if (!first) throw new Error('no orders');
  const { orderNo, merchantOrderNo } = first.order;
  for (const text of [orderNo, orderNo.toLowerCase(), ` ${merchantOrderNo} `, merchantOrderNo.slice(0, -1)])
    expect(await found(text, false)).toContain(orderNo);
  const open: [string, OrderFilter][] = [
    ['ref-1', { channelRef: 'ref-1' }],
    ['UTR-1', { bankReference: 'UTR-1' }],
  ];
  const personal: [string, OrderFilter][] = [
    ['50100-234567890', { account: '50100234567890' }],
    ['+91 98123 45678', { phone: '9812345678' }],
    ['asha r', { partyName: 'Asha R' }],
  ];
  const expected = (filter: OrderFilter): string[] =>
    numbers(
      sorted(
        searchables.filter((one) => matches(one, filter, unrestricted)).map(({ order }) => order),
        newest,
      ),
    );
  for (const [text, filter] of [...open, ...personal]) {
    expect(expected(filter).length).toBeGreaterThan(0);
    expect([text, await found(text, true)]).toEqual([text, expected(filter)]);
  }
  for (const [text, filter] of open) expect([text, await found(text, false)]).toEqual([text, expected(filter)]);
  for (const [text] of personal) expect([text, await found(text, false)]).toEqual([text, []]);
});

test('a search that takes too long is refused', async () => {
  await made.writeSearchables(fixture.domain, []);
  const { pool } = fixture.domain.database;
  const holder = await pool.connect();
  try {
    await holder.query('begin; lock table notification in access exclusive mode');
    const filter: OrderFilter = { notificationStates: ['exhausted'] };
    const search = pageOrders(fixture.domain, unrestricted, filter, pageRequest('orders'), { patienceMs: 50 });
    await expect(search).rejects.toThrow(SearchTooWide);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect(await walk(unrestricted, { notificationStates: ['exhausted'] }, newest)).toEqual([]);
});

test('a page ends after a bounded number of read orders, and the next page continues there', async () => {
  const searchables = fc.sample(made.anySearchables(shops), 50).find((orders) => orders.length > 30);
  if (!searchables) throw new Error('no orders');
  await made.writeSearchables(fixture.domain, searchables);
  const all = sorted(
    searchables.map(({ order }) => order),
    newest,
  );
  const filter: OrderFilter = { partyName: 'nobody', merchantOrderNoStartsWith: 'M-' };
  const options = { maySeePersonal: true, maxCandidates: -1, maxExamined: 1 };
  const cut = await pageOrders(fixture.domain, unrestricted, filter, pageRequest('orders', { first: 5 }), options);
  expect(cut).toMatchObject({ rows: [], hasNextPage: true, endCursor: expect.any(String) });
  const { at = null, amount = null } = cut.searchedUntil ?? {};
  expect(amount).toBeNull();
  expect(at).toBeGreaterThan(all.at(-1)?.createdAt ?? 0);
  const byAmount = pageRequest(orderLists.amount, { first: 5 });
  const largest = await pageOrders(fixture.domain, unrestricted, filter, byAmount, options);
  expect(largest.searchedUntil).toEqual({ at: null, amount: expect.stringMatching(/^\d+\.\d\d$/) });
  const whole = await pageOrders(fixture.domain, unrestricted, filter, pageRequest('orders', { first: 5 }), {
    maySeePersonal: true,
  });
  expect(whole).toMatchObject({ rows: [], hasNextPage: false, searchedUntil: null });
});
