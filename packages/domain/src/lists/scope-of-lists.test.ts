import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageApprovals } from '../approvals/list-approvals.ts';
import { pageAuditFindings } from '../audit/list-audit-findings.ts';
import { pageMoneyCases } from '../cases/list-money-cases.ts';
import { pageAuditRecords } from '../configuration/list-audit-records.ts';
import { pagesOfFeeRules } from '../configuration/list-fee-rules.ts';
import { pagesOfMerchantKeys } from '../configuration/list-merchant-keys.ts';
import { pageMerchants } from '../configuration/list-merchants.ts';
import { pagesOfRoutes } from '../configuration/list-routes.ts';
import { pagesOfServiceKeys } from '../configuration/list-service-keys.ts';
import { pagesOfPayments } from '../ledger/list-payments.ts';
import { pagesOfTransfers, pageTransfers } from '../ledger/list-transfers.ts';
import { pagesOfWalletEntries } from '../ledger/list-wallet-entries.ts';
import { pagePayoutTasks } from '../market/list-payout-tasks.ts';
import { pageNotifications } from '../notifications/list-notifications.ts';
import { pageOrders } from '../orders/list-orders.ts';
import { pageStuckPayouts } from '../orders/list-stuck-payouts.ts';
import { giveServiceKeys } from '../testing/service-keys.ts';
import { openThreeMerchants, type ThreeMerchants } from '../testing/three-merchants.ts';
import { only, pageRequest, walkList } from '../testing/walk-list.ts';
import { countRows } from './count-rows.ts';
import type { ListName } from './keys.ts';
import type { Page, PageRequest } from './page.ts';
import { type Scope, unrestricted } from './scope.ts';
import type { Add } from './values.ts';

// Every list as a restricted operator sees it, page by page.

let fixture: ThreeMerchants;
let india: string;
let market: string;
let pakistan: string;
beforeAll(async () => {
  fixture = await openThreeMerchants();
  ({ india, market, pakistan } = fixture);
  for (const merchantId of [india, market, pakistan]) await giveServiceKeys(fixture.domain, merchantId);
});
afterAll(() => fixture.close());

type Read<Name extends ListName> = (scope: Scope, page: PageRequest<Name>) => Promise<Page<{ merchantId: string }>>;
const list = <Name extends ListName>(name: Name, read: Read<Name>) => ({
  name,
  all: (scope: Scope, size = 2, backward = false) =>
    walkList(name, (page) => read(scope, page), { sizes: [size], backward }),
  total: async (scope: Scope, most?: number) => (await read(scope, pageRequest(name, { first: 1 }))).total(most),
});

/** Every list of merchants' rows. Where a merchant is required, all three are given. */
const lists = [
  list('orders', (scope, page) => pageOrders(fixture.domain, scope, {}, page)),
  list('notifications', (scope, page) => pageNotifications(fixture.domain, scope, {}, page)),
  list('money_cases', (scope, page) => pageMoneyCases(fixture.domain, scope, {}, page)),
  list('stuck_payouts', (scope, page) => pageStuckPayouts(fixture.domain, scope, {}, page)),
  list('payout_tasks', (scope, page) => pagePayoutTasks(fixture.domain, scope, {}, page)),
  list('audit_records', (scope, page) => pageAuditRecords(fixture.domain, scope, {}, page)),
  list('approvals', (scope, page) => pageApprovals(fixture.domain, scope, {}, page)),
  list('audit_findings', (scope, page) => pageAuditFindings(fixture.domain, scope, {}, page)),
  list('merchants', (scope, page) => pageMerchants(fixture.domain, scope, {}, page)),
] as const;

/** Every list of one merchant's rows; of an order's, those of its first order. */
const ofOne = [
  ofMerchant('wallet_entries', (scope, id, page) => only(pagesOfWalletEntries(fixture.domain, scope, [id], page))),
  ofMerchant('transfers', (scope, merchantId, page) => pageTransfers(fixture.domain, scope, { merchantId }, page)),
  ofMerchant('payments', async (scope, merchantId, page) => {
    const { rows } = await pageOrders(
      fixture.domain,
      unrestricted,
      { merchantIds: [merchantId] },
      pageRequest('orders'),
    );
    return only(pagesOfPayments(fixture.domain, scope, rows.slice(-1), page));
  }),
  ofMerchant('merchant_keys', (scope, id, page) => only(pagesOfMerchantKeys(fixture.domain, scope, [id], page))),
  ofMerchant('service_keys', (scope, id, page) => only(pagesOfServiceKeys(fixture.domain, scope, [id], page))),
  ofMerchant('fee_rules', (scope, id, page) => only(pagesOfFeeRules(fixture.domain, scope, [id], page))),
  ofMerchant('routes', (scope, id, page) => only(pagesOfRoutes(fixture.domain, scope, [id], page))),
];

function ofMerchant<Name extends ListName>(
  name: Name,
  read: (scope: Scope, merchantId: string, page: PageRequest<Name>) => Promise<Page<{ merchantId: string }>>,
) {
  const of = (merchantId: string) => list(name, (scope, page) => read(scope, merchantId, page));
  return {
    name,
    all: (scope: Scope, merchantId: string) => of(merchantId).all(scope),
    total: (scope: Scope, merchantId: string, most?: number) => of(merchantId).total(scope, most),
  };
}

const merchantsOf = (rows: { merchantId: string }[]): string[] =>
  [...new Set(rows.map((row) => row.merchantId))].sort();
const scopeOf = (countries: Scope['countries'], merchantIds: Scope['merchantIds']): Scope => ({
  countries,
  merchantIds,
});

test.each(lists)('$name: an operator sees exactly the rows within their restriction', async ({ name, all }) => {
  const everybody =
    name === 'payout_tasks' ? [market] : name === 'stuck_payouts' ? [india, pakistan] : [india, market, pakistan];
  const seen = async (scope: Scope): Promise<string[]> => merchantsOf(await all(scope));
  const ours = (...ids: string[]): string[] => ids.filter((id) => everybody.includes(id)).sort();
  expect((await seen(unrestricted)).filter((id) => id !== 'PLATFORM')).toEqual(ours(india, market, pakistan));
  expect(await seen(scopeOf(['PK'], null))).toEqual(ours(market, pakistan));
  expect(await seen(scopeOf(['CN', 'IN'], null))).toEqual(ours(india));
  expect(await seen(scopeOf(['TH'], null))).toEqual([]);
  expect(await seen(scopeOf(null, [market]))).toEqual(ours(market));
  expect(await seen(scopeOf(null, [india, pakistan]))).toEqual(ours(india, pakistan));
  expect(await seen(scopeOf(['IN'], [pakistan]))).toEqual([]);
  expect(await seen(scopeOf(null, []))).toEqual([]);
  const many = Array.from({ length: 200 }, (_, i) => `NONE-${i}`);
  expect(await seen(scopeOf(null, [...many, market]))).toEqual(ours(market));
});

test.each(lists)('$name: the pages together are the whole list, from either end', async ({ all }) => {
  const whole = await all(unrestricted, 100);
  expect(whole.length).toBeGreaterThan(2);
  expect(await all(unrestricted, 2)).toEqual(whole);
  expect(await all(unrestricted, 3, true)).toEqual(whole);
});

test('oldest first is the same list reversed, also page by page', async () => {
  const read = (oldestFirst: boolean, size: number) =>
    list('money_cases', (scope, page) =>
      pageMoneyCases(fixture.domain, scope, {}, page, { isReversed: oldestFirst }),
    ).all(unrestricted, size);
  const newestFirst = await read(false, 100);
  expect(newestFirst.length).toBeGreaterThan(1);
  expect(await read(true, 1)).toEqual(newestFirst.toReversed());
});

test.each(lists)('$name: the total is the number of rows within the restriction', async ({ all, total }) => {
  const many = Array.from({ length: 200 }, (_, i) => `NONE-${i}`);
  const scopes = [
    unrestricted,
    scopeOf(['PK'], null),
    scopeOf(null, [india, pakistan]),
    scopeOf(['IN'], [india, market]),
    scopeOf(null, []),
    scopeOf(null, [...many, market]),
  ];
  for (const scope of scopes)
    expect([scope, await total(scope)]).toEqual([scope, { count: (await all(scope, 100)).length, isExact: true }]);
  const { count } = await total(unrestricted);
  expect(count).toBeGreaterThan(2);
  expect(await total(unrestricted, count)).toEqual({ count, isExact: true });
  expect(await total(unrestricted, count - 1)).toEqual({ count: count - 1, isExact: false });
});

test('a total with a filter is a lower bound once the search has read as many rows as it may', async () => {
  // Each merchant has three payins, and after each of them a payout.
  const order = 'order by t.created_at, t.order_no';
  const filters = (add: Add) => [`t.kind = ${add('payin')}`];
  for (const merchants of [null, [india, market, pakistan]]) {
    const listing = { table: 'orders', order, indexConditions: () => [], rowConditions: filters, merchants };
    const total = (most: number, examined: number) =>
      countRows(fixture.domain.database.reading, listing, most, examined);
    expect(await total(100, 18)).toEqual({ count: 9, isExact: true });
    expect(await total(8, 18)).toEqual({ count: 8, isExact: false });
    expect(await total(100, 15)).toEqual({ count: merchants ? 9 : 8, isExact: false });
    expect(await total(100, 6)).toEqual({ count: 3, isExact: false });
  }
});

test('rows of the platform are for unrestricted operators', async () => {
  for (const { name, all } of lists.filter((one) => one.name === 'approvals' || one.name === 'audit_findings')) {
    expect([name, merchantsOf(await all(unrestricted)).includes('PLATFORM')]).toEqual([name, true]);
    // The tenant's own country means nothing.
    expect([name, await all(scopeOf(['CN'], null))]).toEqual([name, []]);
  }
});

test.each(ofOne)(
  '$name of a merchant: the total counts its own rows, and is zero outside of the scope',
  async ({ all, total }) => {
    const { length } = await all(unrestricted, india);
    expect(await total(unrestricted, india)).toEqual({ count: length, isExact: true });
    expect(await total(scopeOf(['TH'], null), india)).toEqual({ count: 0, isExact: true });
    expect(await total(unrestricted, india, length - 1)).toEqual({ count: length - 1, isExact: false });
  },
);

test.each(ofOne)(
  '$name of a merchant: an operator sees all of its rows within the scope, and none outside',
  async ({ all }) => {
    for (const merchantId of [india, market]) {
      const rows = await all(unrestricted, merchantId);
      expect(rows.length).toBeGreaterThan(0);
      expect(merchantsOf(rows)).toEqual([merchantId]);
      expect(await all(scopeOf(['IN', 'PK'], [india, market]), merchantId)).toEqual(rows);
      expect(await all(scopeOf(['TH'], null), merchantId)).toEqual([]);
      expect(await all(scopeOf(null, [pakistan]), merchantId)).toEqual([]);
    }
  },
);

test('the lists of many parents are read together: each parent gets its own page, in the order of the parents', async () => {
  const { domain } = fixture;
  const { rows } = await pageOrders(domain, unrestricted, { merchantIds: [india, market] }, pageRequest('orders'));
  const orders = [...rows, { merchantId: india, orderNo: 'PI0' }, ...rows.slice(0, 1)];
  for (const args of [{ first: 1 }, { last: 1 }, { first: 100 }]) {
    const page = pageRequest('transfers', args);
    const together = await pagesOfTransfers(domain, unrestricted, orders, page);
    const alone = orders.map(({ merchantId, orderNo }) =>
      pageTransfers(domain, unrestricted, { merchantId, orderNo }, page),
    );
    const rowsAndEnds = ({ total: _, ...page }: Page<unknown>) => page;
    expect(together.map(rowsAndEnds)).toEqual((await Promise.all(alone)).map(rowsAndEnds));
    const totals = (pages: Page<unknown>[]) => Promise.all(pages.map(({ total }) => total()));
    expect(await totals(together)).toEqual(await totals(await Promise.all(alone)));
  }
  const few = await pagesOfTransfers(domain, scopeOf(['PK'], null), orders, pageRequest('transfers'));
  expect(few.map((page) => merchantsOf(page.rows))).toEqual(
    orders.map(({ merchantId }) => (merchantId === market ? [market] : [])),
  );
});
